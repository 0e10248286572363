package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class QuantileCurveTest {
  private final QuantileCurve curve =
      new QuantileCurve(new double[] {0, 0.5, 0.9, 1}, new double[] {1, 100, 100, 10_000});

  @Test
  void has_the_given_quantiles() {
    assertThat(curve.at(0)).isEqualTo(1);
    assertThat(curve.at(0.5)).isEqualTo(100);
    assertThat(curve.at(0.9)).isEqualTo(100);
    assertThat(curve.at(1)).isEqualTo(10_000);
  }

  @Test
  void is_linear_in_the_logarithm_between_them() {
    // half-way from 1 to 100: sqrt(1 * 100); a quarter from 100 to 10,000: 100 * 100^(1/4)
    assertThat(curve.at(0.25)).isEqualTo(10, within(1e-12));
    assertThat(curve.at(0.925)).isEqualTo(316.227766, within(1e-6));
  }

  @Test
  void tells_the_share_below_a_value() {
    assertThat(curve.below(0.5)).isEqualTo(0);
    assertThat(curve.below(10)).isEqualTo(0.25, within(1e-12));
    assertThat(curve.below(1000)).isEqualTo(0.95, within(1e-12));
    assertThat(curve.below(20_000)).isEqualTo(1);
  }

  @Test
  void draws_among_the_values_up_to_a_limit() {
    RandomStream stream = new RandomStream(1, "test", 0);
    for (int i = 0; i < 1000; i++) {
      assertThat(curve.drawUpTo(20, stream)).isBetween(1.0, 20 + 1e-9);
    }
    assertThat(curve.drawUpTo(0.5, stream)).isEqualTo(0.5);
  }

  @Test
  void takes_only_knots_that_rise_from_0_to_1() {
    assertThatThrownBy(() -> new QuantileCurve(new double[] {0, 0.9}, new double[] {1, 2}))
        .hasMessageContaining("from 0 to 1");
    assertThatThrownBy(() -> new QuantileCurve(new double[] {0, 1}, new double[] {2, 1}))
        .hasMessage("knot 1: found [1.0, 1.0], expected rising");
    assertThatThrownBy(() -> new QuantileCurve(new double[] {0, 1}, new double[] {0, 1}))
        .hasMessage("knot 0: found [0.0, 0.0], expected rising");
  }
}
