package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelFitsTest {
  private final KernelFits fits = new KernelFits();

  /** Time in proportion to x. */
  private record Slope() implements Law {
    @Override
    public String[] coefficients() {
      return new String[] {"slope"};
    }

    @Override
    public double[] start() {
      return new double[] {1};
    }

    @Override
    public double[] least() {
      return new double[] {0.001};
    }

    @Override
    public double[] largest() {
      return new double[] {1000};
    }

    @Override
    public double micros(double[] p, double[] shape) {
      return p[0] * shape[0];
    }
  }

  /** Rows {@code {x, 3 x}}. */
  private static List<double[]> rows(int count) {
    List<double[]> rows = new ArrayList<>();
    for (int x = 1; x <= count; x++) {
      rows.add(new double[] {x, 3.0 * x});
    }
    return rows;
  }

  @Test
  void aFifthOfTheRowsIsNotFittedButTested() {
    double[] p = fits.law("slope", new Slope(), rows(1000), row -> row[1]);

    assertThat(p[0]).isCloseTo(3, within(0.001));
    assertThat(fits.file().laws.get("slope")).isEqualTo(p);
    double[] error = fits.file().errors.get("slope law");
    assertThat(error[0]).isLessThan(0.001);
    assertThat(error[2]).isBetween(170.0, 230.0);
  }

  /** Told 1 of 2, 3 of 4 and 4 of 4: off by 1/2, 1/4 and 0. */
  @Test
  void errorsAreMedianNinetiethPercentileAndNumber() {
    KnotErrors errors = new KnotErrors();
    errors.add("even", 1, 2);
    errors.add("even", 3, 4);
    errors.add("even", 4, 4);
    errors.note("experts", fits);

    assertThat(fits.file().errors.get("experts even knots")).containsExactly(0.25, 0.5, 3);
  }

  @Test
  void whatWasTestedOnNoRowsHasNoError() {
    fits.error("slope", List.of(), row -> 1, row -> 1);
    assertThat(fits.file().errors).isEmpty();
  }

  @Test
  void curvesRunOverTheLengthPerBatch() {
    fits.curvesByBatch(
        "decode",
        List.of(new double[] {4, 64, 9}, new double[] {1, 64, 5}, new double[] {4, 2, 7}));

    assertThat(fits.file().text())
        .isEqualTo(
            """
            knots decode/1 64:5
            knots decode/4 2:7 64:9
            """);
  }
}
