package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockKeysTest {
  private final BlockKeys keys = new BlockKeys();

  /** Named blocks 10 11 12 | 40 41, then the request's own. */
  @Test
  void positionsRunThroughTheNamedRunsAndThenTheRequestsOwnKeys() {
    reset(5, 10, 3, 40, 2);

    assertThat(keys.named()).isEqualTo(5);
    assertThat(keys.runs()).isEqualTo(2);
    assertThat(keys.runFirst(1)).isEqualTo(40);
    assertThat(keys.runEnd(1)).isEqualTo(5);
    assertThat(keysUpTo(5)).containsExactly(10, 11, 12, 40, 41);
    assertThat(BlockKeys.isPrivate(keys.keyAt(4))).isFalse();
    assertThat(BlockKeys.isPrivate(keys.keyAt(5))).isTrue();
    assertThat(keys.keyAt(6)).isEqualTo(keys.keyAt(5) + 1);
  }

  @Test
  void ownKeysOfTwoRequestsAndOfTwoPositionsNeverMeet() {
    Map<Long, String> seen = new HashMap<>();
    for (int owner : new int[] {0, 1, 2, Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
      keys.reset(owner);
      for (int position : new int[] {0, 1, 1000, (1 << 24) - 1}) {
        assertThat(seen.put(keys.keyAt(position), owner + "@" + position)).isNull();
        assertThat(keys.keyAt(position)).isPositive();
      }
    }
  }

  @Test
  void emptyRunsLeaveNoTraceAndResetForgetsEverything() {
    reset(1, 10, 3, 99, 0, 13, 1);
    assertThat(keys.runs()).isEqualTo(2);
    assertThat(keysUpTo(4)).containsExactly(10, 11, 12, 13);

    reset(2, 70, 1);
    assertThat(keys.named()).isEqualTo(1);
    assertThat(keys.keyAt(0)).isEqualTo(70);
    assertThat(BlockKeys.isPrivate(keys.keyAt(1))).isTrue();
  }

  /** Named blocks 10 11 12 | 40 41. */
  @Test
  void consecutiveStopsAtTheEndOfTheRun() {
    reset(1, 10, 3, 40, 2);
    assertThat(keys.consecutive(0, 100)).isEqualTo(3);
    assertThat(keys.consecutive(1, 100)).isEqualTo(2);
    assertThat(keys.consecutive(0, 2)).isEqualTo(2);
    assertThat(keys.consecutive(3, 100)).isEqualTo(2);
    assertThat(keys.consecutive(5, 100)).as("own keys never end").isEqualTo(100);
  }

  /** Named blocks 10 11 12 | 13 14 | 40: two runs that happen to be consecutive. */
  @Test
  void matchingGoesOnFromOneRunToTheNext() {
    reset(1, 10, 3, 13, 2, 40, 1);
    assertThat(keys.matching(0, 10, 100)).isEqualTo(5);
    assertThat(keys.matching(2, 12, 100)).isEqualTo(3);
    assertThat(keys.matching(0, 10, 4)).isEqualTo(4);
    assertThat(keys.matching(5, 15, 100)).isZero();
    assertThat(keys.matching(0, 11, 100)).isZero();
    assertThat(keys.matching(0, 10, 0)).isZero();
  }

  @Test
  void positionsMayBeAskedForInAnyOrder() {
    long[] expected = new long[500];
    keys.reset(3);
    Random random = new Random(1);
    for (int position = 0; position < expected.length; ) {
      int length = Math.min(1 + random.nextInt(9), expected.length - position);
      long first = 1000L * (position + 1);
      keys.addRun(first, length);
      for (int i = 0; i < length; i++) {
        expected[position++] = first + i;
      }
    }
    for (int i = 0; i < 10_000; i++) {
      int position = random.nextInt(expected.length);
      assertThat(keys.keyAt(position)).isEqualTo(expected[position]);
    }
  }

  /** The pool holds 10 11 12 40, and not 41. */
  @Test
  void lookUpFindsTheLeadingBlocksThatThePoolHolds() {
    reset(1, 10, 3, 40, 2);
    BlockPool pool = new BlockPool(16, true, PoolListener.NONE);
    int[] held = new int[4];
    for (int i = 0; i < 4; i++) {
      held[i] = pool.take();
      pool.assign(held[i], keys.keyAt(i));
    }

    int[] found = new int[5];
    assertThat(keys.lookUp(pool, 5, found)).isEqualTo(4);
    assertThat(found).startsWith(held);
    assertThat(keys.lookUp(pool, 2, found)).isEqualTo(2);
  }

  @Test
  void lookUpGoesOnIntoTheRequestsOwnBlocks() {
    reset(1, 10, 1);
    BlockPool pool = new BlockPool(16, true, PoolListener.NONE);
    for (int i = 0; i < 3; i++) {
      pool.assign(pool.take(), keys.keyAt(i));
    }
    assertThat(keys.lookUp(pool, 5, new int[5])).isEqualTo(3);
  }

  private void reset(int owner, int... firstsAndLengths) {
    keys.reset(owner);
    for (int i = 0; i < firstsAndLengths.length; i += 2) {
      keys.addRun(firstsAndLengths[i], firstsAndLengths[i + 1]);
    }
  }

  private long[] keysUpTo(int end) {
    long[] all = new long[end];
    for (int i = 0; i < end; i++) {
      all[i] = keys.keyAt(i);
    }
    return all;
  }
}
