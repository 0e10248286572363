package io.orrery.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimpleAdmissionTest {
  @Test
  void withoutAdmissionEverythingPasses() {
    FakeEntrance entrance = FakeEntrance.of(NoAdmission.FACTORY, 1);
    assertThat(entrance.send(0, 1, 1, 1_000_000)).isEqualTo(Verdict.ADMIT);
    assertThat(entrance.policy().nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }

  /** Two at once on one worker: the third goes when one ends, in the order of coming. */
  @Test
  void aLimitOfRequestsOnTheirWay() {
    FakeEntrance entrance = FakeEntrance.of(MaxConcurrency.FACTORY, 1, "limit", "2");
    assertThat(entrance.send(0, 1, 1, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(0, 2, 2, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(0, 3, 3, 10)).isEqualTo(Verdict.hold("concurrency-limit"));
    assertThat(entrance.send(0, 4, 4, 10).kind()).isEqualTo(Verdict.Kind.HOLD);
    entrance.end(1, 2, 1);
    assertThat(entrance.released).containsExactly(3);
    entrance.end(2, 3, 1);
    assertThat(entrance.released).containsExactly(3, 4);
    entrance.end(3, 1, 1);
    entrance.end(4, 4, 1);
    assertThat(entrance.send(5, 5, 5, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
  }

  @Test
  void theLimitIsForEachWorkerOrForAll() {
    FakeEntrance each = FakeEntrance.two(MaxConcurrency.FACTORY, 1, 1, "limit", "1");
    each.send(0, 1, 1, 10);
    assertThat(each.send(0, 2, 2, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    FakeEntrance all =
        FakeEntrance.two(MaxConcurrency.FACTORY, 1, 1, "limit", "1", "per", "cluster");
    all.send(0, 1, 1, 10);
    assertThat(all.send(0, 2, 2, 10).kind()).isEqualTo(Verdict.Kind.HOLD);
  }

  /** A place is free again when a worker turns the request away. */
  @Test
  void aRequestThatAWorkerRefusesFreesItsPlace() {
    FakeEntrance entrance = FakeEntrance.of(MaxConcurrency.FACTORY, 1, "limit", "1");
    entrance.send(0, 1, 1, 10);
    entrance.send(0, 2, 2, 10);
    entrance.refuse(0, 1);
    assertThat(entrance.released).containsExactly(2);
  }

  /** Two permits at once, then one every half second: 0, 0, 0.5, 1.0; after a rest two again. */
  @Test
  void aBucketOfRequests() {
    FakeEntrance entrance = FakeEntrance.of(TokenBucket.FACTORY, 1, "rate", "2", "burst", "2");
    assertThat(entrance.send(0, 1, 1, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(0, 2, 2, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(0, 3, 3, 10)).isEqualTo(Verdict.hold("rate-limit"));
    assertThat(entrance.send(0.25, 4, 4, 10).kind()).isEqualTo(Verdict.Kind.HOLD);
    assertThat(entrance.policy().nextTickNanos()).isEqualTo(500_000_000);
    entrance.until(0.5);
    assertThat(entrance.released).containsExactly(3);
    entrance.until(0.999);
    assertThat(entrance.released).containsExactly(3);
    entrance.until(1);
    assertThat(entrance.released).containsExactly(3, 4);
    assertThat(entrance.policy().nextTickNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(entrance.send(9, 5, 5, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(9, 6, 6, 10).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(9, 7, 7, 10).kind()).isEqualTo(Verdict.Kind.HOLD);
  }

  /**
   * 100 tokens a second, 1,000 at once. A prompt of 4,000 takes the full bucket; the 300 behind it
   * wait 3 s for it to fill again.
   */
  @Test
  void aBucketOfInputTokens() {
    FakeEntrance entrance =
        FakeEntrance.of(
            TokenBucket.FACTORY, 1, "rate", "100", "burst", "1000", "permit", "input-token");
    assertThat(entrance.send(0, 1, 1, 4000).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.send(0, 2, 2, 300).kind()).isEqualTo(Verdict.Kind.HOLD);
    entrance.until(2.9);
    assertThat(entrance.released).isEmpty();
    entrance.until(3);
    assertThat(entrance.released).containsExactly(2);
  }
}
