package io.orrery.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.policy.InvalidPolicyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buffers are 100 tokens a session, ticks come every 5 s. */
class DynamoNativeTest {
  private static final AdmissionPolicyFactory NATIVE = DynamoNative.FACTORY;

  @Test
  void aSessionHasOneRequestOnItsWay() {
    FakeEntrance entrance = FakeEntrance.of(NATIVE, 10_000);
    assertThat(entrance.send(0, 1, 1, 100).worker()).isZero();
    assertThat(entrance.send(0, 1, 2, 200)).isEqualTo(Verdict.hold("session-busy"));
    assertThat(entrance.send(0, 1, 3, 300)).isEqualTo(Verdict.hold("session-busy"));
    assertThat(entrance.used(0)).isEqualTo(200);
    entrance.end(1, 1, 5);
    assertThat(entrance.released).containsExactly(2);
    assertThat(entrance.used(0)).isEqualTo(300);
    entrance.end(2, 2, 5);
    assertThat(entrance.released).containsExactly(2, 3);
  }

  /** A context is prompt and output so far, at any moment. */
  @Test
  void outputCountsAsItComes() {
    FakeEntrance entrance = FakeEntrance.of(NATIVE, 10_000);
    entrance.send(0, 1, 1, 1000);
    entrance.streamed(1, 77);
    entrance.send(1, 2, 2, 10);
    assertThat(entrance.used(0)).isEqualTo(1077 + 100 + 10 + 100);
  }

  /**
   * Acting sessions of 1,000 and 1,100 with their buffers and reasoning ones of 4,000 and 3,301 are
   * 9,801 of 10,000. Without the acting ones 7,501 are left, below 8,000: nobody is marked. With
   * 1,000 more reasoning tokens, all reasoning sessions are.
   */
  @Test
  void whenPausingIsNotEnoughAllReasoningSessionsAreMarked() {
    for (int more : new int[] {0, 1000}) {
      FakeEntrance entrance = FakeEntrance.of(NATIVE, 10_000);
      entrance.send(0, 1, 1, 1000);
      entrance.end(0, 1, 0);
      entrance.send(0, 2, 2, 1100);
      entrance.end(0, 2, 0);
      entrance.send(0, 3, 3, 4000);
      entrance.send(0, 4, 4, 3000);
      entrance.streamed(4, 301 + more);
      entrance.until(5);
      assertThat(entrance.paused).containsExactly(1, 2);
      if (more == 0) {
        assertThat(entrance.marked).isEmpty();
      } else {
        assertThat(entrance.marked).containsExactly(3, 4);
        entrance.end(6, 3, 1);
        assertThat(entrance.paused).containsExactly(1, 2, 3);
      }
    }
  }

  /** No loss of priority below the threshold, and no boost for who waited. */
  @Test
  void prioritiesStayAsTheyAre() {
    FakeEntrance entrance = FakeEntrance.of(NATIVE, 1000);
    entrance.send(0, 1, 1, 750);
    entrance.send(1, 2, 2, 300);
    entrance.until(5);
    entrance.end(6, 1, 0);
    assertThat(entrance.send(7, 1, 3, 750).priorityJumpSeconds()).isZero();
    entrance.end(8, 3, 0);
    entrance.over(8, 1);
    entrance.until(10);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.admit(0, 0, "resumed"));
  }

  /** 30 minutes after the request was deferred, at the next tick. */
  @Test
  void aForcedResumeComesWithATick() {
    FakeEntrance entrance = FakeEntrance.two(NATIVE, 1000, 2000);
    entrance.send(1, 1, 1, 5000);
    entrance.until(1804.9);
    assertThat(entrance.verdicts.get(1)).isEqualTo(Verdict.hold("no-room"));
    entrance.until(1805);
    assertThat(entrance.verdicts.get(1)).isEqualTo(Verdict.admit(1, 0, "forced"));
  }

  /** A session that has said nothing for half an hour is forgotten, and new when it returns. */
  @Test
  void anIdleSessionIsForgottenAfterItsRetention() {
    FakeEntrance entrance = FakeEntrance.of(NATIVE, 1000);
    entrance.send(0, 1, 1, 500);
    entrance.end(1, 1, 0);
    entrance.until(1800);
    assertThat(entrance.used(0)).isEqualTo(600);
    entrance.until(1805);
    assertThat(entrance.used(0)).isZero();
    assertThat(entrance.policy().nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }

  /** What its worker refuses leaves a session as it was, and a new one unknown. */
  @Test
  void aRefusedRequestIsTakenBack() {
    FakeEntrance entrance = FakeEntrance.of(NATIVE, 100_000);
    entrance.send(0, 1, 1, 500);
    entrance.end(1, 1, 20);
    entrance.send(2, 1, 2, 9000);
    assertThat(entrance.used(0)).isEqualTo(9100);
    entrance.refuse(2, 2);
    assertThat(entrance.used(0)).isEqualTo(620);
    entrance.send(3, 2, 3, 9000);
    entrance.refuse(3, 3);
    assertThat(entrance.used(0)).isEqualTo(620);
  }

  @Test
  void beyondTheLimitRequestsAreRefused() {
    FakeEntrance entrance = FakeEntrance.of(NATIVE, 10_000, "maxTrackedRequests", "2");
    entrance.send(0, 1, 1, 100);
    entrance.send(0, 2, 2, 100);
    assertThat(entrance.send(0, 3, 3, 100)).isEqualTo(Verdict.refuse("request-limit"));
    entrance.end(1, 1, 0);
    // Session 1 is known and idle: it makes room for the third.
    assertThat(entrance.send(2, 3, 4, 100).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(entrance.used(0)).isEqualTo(400);
  }

  /**
   * Room of 2,000 and 1,000 at most: sessions of 1,500, 800 and 700 tokens fit together (3,000 with
   * buffers of 0) and are placed largest first: 1,500 on worker 0, 800 on worker 1; 700 fit
   * nowhere.
   */
  @Test
  void largerSessionsArePlacedFirst() {
    FakeEntrance entrance =
        FakeEntrance.two(
            NATIVE,
            2000,
            1000,
            "pauseThreshold",
            "1",
            "resumeHysteresis",
            "0",
            "bufferPerProgram",
            "0");
    entrance.send(0, 9, 9, 3000);
    entrance.send(0, 1, 1, 700);
    entrance.send(0, 2, 2, 1500);
    entrance.send(0, 3, 3, 800);
    entrance.over(1, 9);
    entrance.until(5);
    assertThat(entrance.released).containsExactly(2, 3);
    assertThat(entrance.verdicts.get(2).worker()).isZero();
    assertThat(entrance.verdicts.get(3).worker()).isEqualTo(1);
  }

  /** Pausing that ends above where it begins would pause nobody, and resuming below 0 nobody. */
  @ParameterizedTest
  @CsvSource({
    "dynamo-native, pauseTarget, 0.96, 0.95",
    "dynamo-python, pauseTarget, 0.96, 0.95",
    "dynamo-python-v1, resumeHysteresis, 0.99, 0.95"
  })
  void thresholdsThatDoNotGoTogetherAreRefused(
      String policy, String name, String value, String threshold) {
    assertThatThrownBy(() -> FakeEntrance.of(AdmissionPolicies.named(policy), 1000, name, value))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessage(
            "admission.%s: found %s, expected at most pauseThreshold, which is %s",
            name, value, threshold);
  }
}
