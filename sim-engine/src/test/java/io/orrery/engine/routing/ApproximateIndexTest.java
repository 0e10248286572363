package io.orrery.engine.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two workers; times in seconds. */
class ApproximateIndexTest {
  private static final long SECOND = 1_000_000_000L;

  private static RoutedRequest at(int seconds, int... firstsAndLengths) {
    int blocks = 0;
    for (int i = 1; i < firstsAndLengths.length; i += 2) {
      blocks += firstsAndLengths[i];
    }
    return FakeCluster.request(seconds, seconds, seconds * SECOND, 16 * blocks, firstsAndLengths);
  }

  private static int[] depths(ApproximateIndex index, RoutedRequest request) {
    int[] depths = new int[2];
    index.depths(request, depths);
    return depths;
  }

  /** 1 2 3 4 at 0 s; 1 2 9 at 60 s: at 120 s 3 4 are gone, 1 2 live until 180 s. */
  @Test
  void aBlockLivesItsTimeFromItsLastPlacement() {
    ApproximateIndex index = ApproximateIndex.byTime(2, 120 * SECOND, 1 << 20);
    index.placed(at(0, 1, 4), 0);
    index.placed(at(60, 1, 2, 9, 1), 0);
    assertThat(depths(index, at(119, 1, 4))).containsExactly(4, 0);
    assertThat(depths(index, at(120, 1, 4))).containsExactly(2, 0);
    assertThat(depths(index, at(179, 1, 2, 9, 1))).containsExactly(3, 0);
    assertThat(depths(index, at(180, 1, 4))).containsExactly(0, 0);
    assertThat(index.blocks()).isZero();
  }

  /**
   * At most 10 blocks: 4 + 6 fit; 2 more are pruned to 8, the oldest placement first, its deepest
   * blocks first: 4 3 2 1 lose 4 of them.
   */
  @Test
  void tooManyBlocksArePrunedToFourFifthsTheOldestAndDeepestFirst() {
    ApproximateIndex index = ApproximateIndex.byTime(2, 120 * SECOND, 10);
    index.placed(at(0, 1, 4), 0);
    index.placed(at(1, 11, 6), 1);
    assertThat(index.blocks()).isEqualTo(10);
    index.placed(at(2, 21, 1), 0);
    assertThat(index.blocks()).isEqualTo(8);
    assertThat(depths(index, at(3, 1, 4))).containsExactly(1, 0);
    assertThat(depths(index, at(3, 11, 6))).containsExactly(0, 6);
    assertThat(depths(index, at(3, 21, 1))).containsExactly(1, 0);
  }

  /** Room for 5 blocks each. Worker 0: 1 2 3, then 11 12 13 pushes 3 out; 1 2 are used again. */
  @Test
  void eachWorkersOwnLeastRecentBlocksGo() {
    ApproximateIndex index = ApproximateIndex.leastRecentlyUsed(2, 5);
    index.placed(at(0, 1, 3), 0);
    index.placed(at(1, 1, 3), 1);
    index.placed(at(2, 11, 3), 0);
    assertThat(depths(index, at(3, 1, 3))).containsExactly(2, 3);
    index.placed(at(4, 1, 2), 0);
    index.placed(at(5, 21, 2), 0);
    assertThat(depths(index, at(6, 11, 3))).as("older than 1 2 by now").containsExactly(1, 0);
    assertThat(depths(index, at(6, 1, 3))).containsExactly(2, 3);
    assertThat(index.blocks(0)).isEqualTo(5);
    assertThat(index.blocks(1)).isEqualTo(3);
  }

  @Test
  void lessRoomShowsWithTheNextPlacement() {
    ApproximateIndex index = ApproximateIndex.leastRecentlyUsed(2, Long.MAX_VALUE);
    index.placed(at(0, 1, 6), 0);
    index.capacity(0, 4);
    index.placed(at(1, 11, 1), 0);
    assertThat(depths(index, at(2, 1, 6))).containsExactly(3, 0);
  }
}
