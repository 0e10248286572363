package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DrawsTest {
  private final Draws draws = new Draws(1, "routing.random");

  @Test
  void aDrawDependsOnWhatItDecidesAndNotOnWhatWasDrawnBefore() {
    long alone = new Draws(1, "routing.random").bits(7, 3);
    for (int i = 0; i < 1000; i++) {
      draws.bits(i, i % 5);
    }
    assertThat(draws.bits(7, 3)).isEqualTo(alone);
  }

  @Test
  void seedSourceAndBothNumbersAllMatter() {
    assertThat(
            new long[] {
              draws.bits(7, 3),
              draws.bits(3, 7),
              draws.bits(8, 3),
              draws.bits(7, 4),
              new Draws(2, "routing.random").bits(7, 3),
              new Draws(1, "routing.other").bits(7, 3)
            })
        .doesNotHaveDuplicates();
  }

  /** Computed apart from this code. A change here changes every simulated result. */
  @Test
  void valuesAreFixedForever() {
    Draws fixed = new Draws(1, "a");
    assertThat(fixed.bits(0, 0)).isEqualTo(6448511741323556374L);
    assertThat(fixed.uniform(1, 2)).isEqualTo(0.020953995148464633);
    assertThat(fixed.below(1000, 1, 2)).isEqualTo(20);
  }

  /**
   * 16 cells of 4,096 expected draws each. Chi-square with 15 degrees of freedom exceeds 44.3 once
   * in 10,000 times; the draws are fixed, so this test gives the same answer every time.
   */
  @Test
  void wholeNumbersAreUniformOverEitherKey() {
    int[] byRequest = new int[16];
    int[] byToken = new int[16];
    for (int i = 0; i < 65_536; i++) {
      byRequest[draws.below(16, i, 0)]++;
      byToken[draws.below(16, 0, i)]++;
    }
    assertThat(chiSquare(byRequest, 4096)).isLessThan(44.3);
    assertThat(chiSquare(byToken, 4096)).isLessThan(44.3);
  }

  /**
   * Pairs (draw of request i, draw of request i + 1) fill the square evenly: 63 degrees, 1 in
   * 10,000 beyond 113.
   */
  @Test
  void neighbouringKeysAreIndependent() {
    int[] cells = new int[64];
    for (int i = 0; i < 65_536; i++) {
      cells[draws.below(8, i, 0) * 8 + draws.below(8, i + 1, 0)]++;
    }
    assertThat(chiSquare(cells, 1024)).isLessThan(113);
  }

  @Test
  void fractionsAreUniformInTheUnitIntervalWithoutItsUpperEnd() {
    double sum = 0;
    for (int i = 0; i < 65_536; i++) {
      double draw = draws.uniform(i, 1);
      assertThat(draw).isBetween(0.0, Math.nextDown(1.0));
      sum += draw;
    }
    // The mean of n draws has standard deviation 1 / sqrt(12 n) = 0.0011.
    assertThat(sum / 65_536).isCloseTo(0.5, within(0.0045));
  }

  @Test
  void aBoundOfOneLeavesNoChoiceAndTheGreatestBoundIsAllowed() {
    for (int i = 0; i < 1000; i++) {
      assertThat(draws.below(1, i, 0)).isZero();
      assertThat(draws.below(Integer.MAX_VALUE, i, 0)).isNotNegative();
    }
    assertThatThrownBy(() -> draws.below(0, 1, 1))
        .hasMessage("bound: found 0, expected a positive number");
  }

  private static double chiSquare(int[] cells, double expected) {
    double sum = 0;
    for (int count : cells) {
      sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
  }
}
