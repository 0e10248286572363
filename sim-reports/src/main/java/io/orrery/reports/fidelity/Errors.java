package io.orrery.reports.fidelity;

import io.orrery.scenarios.fidelity.FidelityRow;
import io.orrery.scenarios.fidelity.Judgement;
import io.orrery.scenarios.fidelity.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Quantiles of relative errors over rows; a row to which a judgement does not apply is left out.
 */
final class Errors {
  private Errors() {}

  /** A quantile of the errors under one judgement, NaN if it applies to no row. */
  static double quantile(List<FidelityRow> rows, Metric metric, Judgement judgement, double share) {
    return quantile(rows, row -> row.error(metric, judgement), share);
  }

  /** A quantile of the errors, each row by constants fitted without it where there are any. */
  static double judged(List<FidelityRow> rows, Metric metric, double share) {
    return quantile(rows, row -> row.error(metric, row.judgement()), share);
  }

  /** A quantile of a number of the rows, those that have none left out; linear between ranks. */
  static double quantile(
      List<FidelityRow> rows, ToDoubleFunction<FidelityRow> number, double share) {
    double[] sorted =
        rows.stream().mapToDouble(number).filter(value -> !Double.isNaN(value)).toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    Arrays.sort(sorted);
    double rank = share * (sorted.length - 1);
    int below = (int) rank;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }
}
