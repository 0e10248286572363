package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Values whose level goes up and down. */
class SeriesTest {
  private static double[] drawn(Series series, int count) {
    Series.Drawing drawing = series.new Drawing();
    RandomStream stream = new RandomStream(1, "series", 0);
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = drawing.next(stream);
    }
    return values;
  }

  /** What is drawn from a series is a series like it. */
  @Test
  void theFitFindsTheLevel() {
    Knots values = new Knots(new double[] {0, 0.5, 1}, new double[] {0, 1, 100});

    Series found = Series.of(drawn(new Series(values, 0.3, 0.97), 50_000));

    assertThat(found.slow()).isCloseTo(0.3, within(0.05));
    assertThat(found.memory()).isCloseTo(0.97, within(0.01));
    assertThat(found.values().at(0.5)).isCloseTo(1, within(0.1));
  }

  @Test
  void valuesOfNoOrderHaveNoLevel() {
    Knots values = new Knots(new double[] {0, 1}, new double[] {0, 1});

    assertThat(Series.of(drawn(new Series(values, 0, 0), 20_000)).slow()).isZero();
    assertThat(Series.of(new double[] {7, 7, 7, 7, 7, 7, 7, 7}).slow()).isZero();
    assertThat(Series.of(new double[] {1, 2, 3}).slow()).isZero();
  }
}
