package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CurveTest {
  @Test
  void pointsComeOutExactlyAndTheLowerOfTwoCounts() {
    Curve curve = Curve.ofPoints(new double[][] {{4, 8}, {1, 2}, {4, 7}, {2, 3}});
    assertThat(curve.linear(1)).isEqualTo(2);
    assertThat(curve.linear(2)).isEqualTo(3);
    assertThat(curve.linear(4)).isEqualTo(7);
    assertThat(curve.linearInLog(4)).isEqualTo(7);
  }

  @Test
  void linesInBetween() {
    Curve curve = Curve.ofPoints(new double[][] {{1, 2}, {4, 6}});
    assertThat(curve.linear(2)).isEqualTo(2 + 4.0 / 3);
    // 2 is halfway between 1 and 4 in logarithms
    assertThat(curve.linearInLog(2)).isCloseTo(4, within(1e-12));
  }

  @Test
  void outsideALineGoesOnAndALogarithmIsHeld() {
    Curve curve = Curve.ofPoints(new double[][] {{2, 2}, {4, 6}});
    assertThat(curve.linear(1)).isEqualTo(2);
    assertThat(curve.linear(6)).isEqualTo(10);
    assertThat(curve.linearInLog(8)).isEqualTo(6);
    // a falling last segment does not go on falling
    assertThat(Curve.ofPoints(new double[][] {{1, 5}, {2, 4}}).linear(9)).isEqualTo(4);
  }

  @Test
  void jaggedCurvesBecomeMonotoneWithoutFollowingOutliers() {
    double[] values = {1, 2, 100, 2, 3, 3, 4};
    Monotone.increase(values);
    assertThat(values).isSorted();
    assertThat(values[0]).isEqualTo(1);
    // pooled in logarithms: (100 · 2 · 3 · 3 · 4)^(1/5) = 5.9
    assertThat(values[6]).isCloseTo(5.908, within(0.001));
    double[] rising = {1, 1.5, 7};
    Monotone.increase(rising);
    assertThat(rising).containsExactly(1, 1.5, 7);
  }
}
