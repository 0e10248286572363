package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two workers, blocks of 16 tokens. */
class ActiveLoadTest {
  private final ActiveLoad load = new ActiveLoad(2);

  /** A: blocks 1 2 3 4. B: 1 2 | 8 9. Together 1 2 3 4 8 9. */
  @Test
  void blocksThatRequestsInFlightShareCountOnceAWorker() {
    RoutedRequest a = request(0, 64, 1, 4);
    RoutedRequest b = request(1, 64, 1, 2, 8, 2);
    assertThat(load.blocksWith(a, 0)).isEqualTo(4);
    load.placed(a, 0, 64);
    assertThat(load.blocks(0)).isEqualTo(4);
    assertThat(load.blocksWith(b, 0)).isEqualTo(6);
    assertThat(load.blocksWith(b, 1)).isEqualTo(4);

    load.placed(b, 0, 32);
    assertThat(load.blocks(0)).isEqualTo(6);
    assertThat(load.blocks(1)).isZero();
    load.ended(a, 0);
    assertThat(load.blocks(0)).isEqualTo(4);
    load.ended(b, 0);
    assertThat(load.blocks(0)).isZero();
  }

  /** 100 tokens are 6 full blocks and a rest; 2 blocks are known, so 4 are the request's own. */
  @Test
  void fullBlocksOfUnknownContentAreTheRequestsOwnAndAPartialOneCountsForNothing() {
    RoutedRequest a = request(0, 100, 1, 2);
    RoutedRequest b = request(1, 100, 1, 2);
    load.placed(a, 0, 100);
    assertThat(load.blocks(0)).isEqualTo(6);
    assertThat(load.blocksWith(b, 0)).isEqualTo(10);
    load.placed(b, 0, 68);
    assertThat(load.blocks(0)).isEqualTo(10);
    load.ended(a, 0);
    load.ended(b, 0);
    assertThat(load.blocks(0)).isZero();
  }

  @Test
  void prefillTokensLeaveWithTheFirstTokenOrTheEnd() {
    RoutedRequest a = request(0, 64, 1, 4);
    RoutedRequest b = request(1, 64, 1, 4);
    load.placed(a, 0, 64);
    load.placed(b, 0, 16);
    assertThat(load.prefillTokens(0)).isEqualTo(80);
    assertThat(load.prefillTokens(1)).isZero();
    load.firstToken(a, 0);
    assertThat(load.prefillTokens(0)).isEqualTo(16);
    load.ended(a, 0);
    assertThat(load.prefillTokens(0)).isEqualTo(16);
    load.ended(b, 0);
    assertThat(load.prefillTokens(0)).as("ended without a first token").isZero();
  }

  @Test
  void aFullyCachedPromptHasNothingToPrefill() {
    RoutedRequest a = request(0, 64, 1, 4);
    load.placed(a, 0, 0);
    assertThat(load.prefillTokens(0)).isZero();
    load.firstToken(a, 0);
    load.ended(a, 0);
    assertThat(load.prefillTokens(0)).isZero();
    assertThat(load.blocks(0)).isZero();
  }

  /** Placed at 5 s with an expiry of 40 s: gone at the sweep at 60 s, not at that at 30 s. */
  @Test
  void whatIsTooOldIsForgottenAtTheNextSweepAndItsEndChangesNothing() {
    ActiveLoad forgetful = new ActiveLoad(1, 40_000_000_000L);
    RoutedRequest a = FakeCluster.request(0, 0, 5_000_000_000L, 64, 1, 4);
    RoutedRequest b = FakeCluster.request(1, 1, 30_000_000_000L, 64, 1, 2, 8, 2);
    forgetful.placed(a, 0, 64);
    forgetful.placed(b, 0, 32);
    forgetful.sweep(59_999_999_999L);
    assertThat(forgetful.requests(0)).isEqualTo(2);
    forgetful.sweep(60_000_000_000L);
    assertThat(forgetful.requests(0)).isEqualTo(1);
    assertThat(forgetful.tokens(0)).isEqualTo(64);
    assertThat(forgetful.blocks(0)).isEqualTo(4);
    assertThat(forgetful.prefillTokens(0)).isEqualTo(32);
    forgetful.ended(a, 0);
    forgetful.ended(b, 0);
    assertThat(forgetful.requests(0)).isZero();
    assertThat(forgetful.blocks(0)).isZero();
    assertThat(forgetful.prefillTokens(0)).isZero();
  }

  /** Two times the same four blocks. */
  @Test
  void allBlocksAreCountedForEveryRequest() {
    load.placed(request(0, 64, 1, 4), 0, 0);
    load.placed(request(1, 64, 1, 4), 0, 0);
    assertThat(load.blocks(0)).isEqualTo(4);
    assertThat(load.allBlocks(0)).isEqualTo(8);
    assertThat(load.requests(0)).isEqualTo(2);
  }
}
