package io.orrery.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.cache.BlockKeys;
import org.junit.jupiter.api.Test;

/** Blocks of 4 tokens. */
class RealisedBoundTest {
  private static LookUpLog log(long... capacityBlocks) {
    LookUpLog log = new LookUpLog(4, capacityBlocks.length);
    for (int worker = 0; worker < capacityBlocks.length; worker++) {
      log.capacity(worker, capacityBlocks[worker] * 4);
    }
    return log;
  }

  private static void store(LookUpLog log, int worker, long now, long first, int length) {
    for (long key = first; key < first + length; key++) {
      log.stored(worker, now, key);
    }
  }

  private static void lookUp(LookUpLog log, int worker, long now, int tokens, long... runs) {
    BlockKeys keys = new BlockKeys();
    keys.reset(0);
    for (int i = 0; i < runs.length; i += 2) {
      keys.addRun(runs[i], (int) runs[i + 1]);
    }
    log.lookedUp(worker, now, keys, tokens);
  }

  /**
   * A cache of three blocks. A (blocks 1 2 3) and B (11 12 13) come into being one after the other,
   * B is needed next, then A: B is kept whole, and of A nothing but what fits beside it, which is
   * nothing until B has been found; A does not come into being again.
   */
  @Test
  void whatIsNeededSoonestIsKept() {
    LookUpLog log = log(3);
    store(log, 0, 1, 1, 3);
    store(log, 0, 2, 11, 3);
    lookUp(log, 0, 3, 12, 11, 3);
    lookUp(log, 0, 4, 12, 1, 3);
    assertThat(RealisedBound.of(log)).isEqualTo(new RealisedBound(12, 12));
  }

  /** With room for five, two blocks of A are kept beside B's three; the deepest one is given up. */
  @Test
  void thereIsRoomForPartOfAPrompt() {
    LookUpLog log = log(5);
    store(log, 0, 1, 1, 3);
    store(log, 0, 2, 11, 3);
    lookUp(log, 0, 3, 12, 11, 3);
    lookUp(log, 0, 4, 12, 1, 3);
    assertThat(RealisedBound.of(log).pooledTokens()).isEqualTo(12 + 8);
  }

  /** What came into being on worker 0 is found on worker 1 only in the pooled cache. */
  @Test
  void placementLosesWhatIsElsewhere() {
    LookUpLog log = log(8, 8);
    store(log, 0, 1, 1, 4);
    lookUp(log, 1, 2, 16, 1, 4);
    lookUp(log, 0, 3, 16, 1, 4);
    assertThat(RealisedBound.of(log)).isEqualTo(new RealisedBound(32, 16));
  }

  /**
   * The second prompt shares two blocks with the first, and only 6 tokens of them may be reused.
   */
  @Test
  void theLastBlockMayBeNeededInPart() {
    LookUpLog log = log(8);
    store(log, 0, 1, 1, 4);
    lookUp(log, 0, 2, 6, 1, 2);
    assertThat(RealisedBound.of(log).pooledTokens()).isEqualTo(6);
  }

  /** Workers are brought up to date in any order; only time counts, then the worker. */
  @Test
  void theOrderOfWritingDoesNotMatter() {
    LookUpLog log = log(8, 8);
    lookUp(log, 1, 5, 16, 1, 4);
    store(log, 0, 1, 1, 4);
    assertThat(RealisedBound.of(log).pooledTokens()).isEqualTo(16);
  }

  @Test
  void withoutLookUpsNothingIsFound() {
    assertThat(RealisedBound.of(log(8))).isEqualTo(new RealisedBound(0, 0));
  }
}
