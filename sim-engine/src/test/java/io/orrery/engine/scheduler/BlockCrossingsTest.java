package io.orrery.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockCrossingsTest {
  private static BlockCrossings crossings(int blockSize, int... computed) {
    BlockCrossings crossings = new BlockCrossings(blockSize);
    crossings.clear(computed.length);
    for (int tokens : computed) {
      crossings.add(tokens);
    }
    crossings.start();
    return crossings;
  }

  private static List<String> takes(BlockCrossings crossings, int steps) {
    List<String> takes = new ArrayList<>();
    while (crossings.nextTake() <= steps) {
      int step = crossings.nextTake();
      takes.add(crossings.passTake() + " in " + step);
    }
    return takes;
  }

  private static List<String> completions(BlockCrossings crossings, int steps) {
    List<String> completions = new ArrayList<>();
    while (crossings.nextCompletion() <= steps) {
      int step = crossings.nextCompletion();
      completions.add(crossings.passCompletion() + " in " + step);
    }
    return completions;
  }

  /**
   * Blocks of four tokens. Request 0 has computed 7: its block lacks one token, which step 1
   * computes, and step 2 takes the next. Requests 1 and 2 stand at a boundary: step 1 takes a
   * block, which step 4 completes.
   */
  @Test
  void aRequestTakesABlockAfterItHasCompletedOne() {
    assertThat(takes(crossings(4, 7, 8, 4), 6))
        .containsExactly("1 in 1", "2 in 1", "0 in 2", "1 in 5", "2 in 5", "0 in 6");
    assertThat(completions(crossings(4, 7, 8, 4), 8))
        .containsExactly("0 in 1", "1 in 4", "2 in 4", "0 in 5", "1 in 8", "2 in 8");
  }

  @Test
  void blocksOfOneTokenAreTakenAndCompletedInEveryStep() {
    assertThat(takes(crossings(1, 5, 6), 2))
        .containsExactly("0 in 1", "1 in 1", "0 in 2", "1 in 2");
    assertThat(completions(crossings(1, 5), 3)).containsExactly("0 in 1", "0 in 2", "0 in 3");
  }

  /** Takes are in steps 1, 1, 2, 5, 5, 6: four free blocks are enough up to step 4. */
  @Test
  void stepsGoOnUntilATakeFindsNoBlock() {
    BlockCrossings crossings = crossings(4, 7, 8, 4);
    assertThat(crossings.stepsWith(0, 10)).isZero();
    assertThat(crossings.stepsWith(1, 10)).isZero();
    assertThat(crossings.stepsWith(2, 10)).isEqualTo(1);
    assertThat(crossings.stepsWith(3, 10)).isEqualTo(4);
    assertThat(crossings.stepsWith(4, 10)).isEqualTo(4);
    assertThat(crossings.stepsWith(5, 10)).isEqualTo(5);
    assertThat(crossings.stepsWith(5, 3)).isEqualTo(3);
    assertThat(crossings.stepsWith(Integer.MAX_VALUE, 10)).isEqualTo(10);
  }

  @Test
  void manyRequestsAreSortedLikeFew() {
    Random random = new Random(1);
    for (int count : new int[] {15, 16, 17, 40, 200}) {
      int[] computed = random.ints(count, 1, 100).toArray();
      List<String> expected = new ArrayList<>();
      for (int step = 1; step <= 12; step++) {
        for (int i = 0; i < count; i++) {
          if ((computed[i] + step - 1) % 8 == 0) {
            expected.add(i + " in " + step);
          }
        }
      }
      BlockCrossings crossings = crossings(8, computed);
      assertThat(takes(crossings, 12)).isEqualTo(expected);
      for (int free : new int[] {0, 3, count, 3 * count}) {
        int steps = 0;
        while (steps < 12 && takes(crossings(8, computed), steps + 1).size() <= free) {
          steps++;
        }
        assertThat(crossings(8, computed).stepsWith(free, 12)).isEqualTo(steps);
      }
    }
  }
}
