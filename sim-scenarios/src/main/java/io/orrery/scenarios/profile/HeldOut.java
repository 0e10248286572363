package io.orrery.scenarios.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * How far off something was on points that its fit had not seen. Errors are shares: 0.03 is 3 %.
 *
 * @param metric what was told and measured: {@code tpot}, {@code ttft} or {@code e2e}
 * @param mean error of the mean over all points
 * @param median median of the points' errors
 * @param p90 what nine of ten points stay under
 * @param points how many
 */
public record HeldOut(String metric, double mean, double median, double p90, int points) {

  /** The errors of what was told against what was measured, pair by pair; at least one pair. */
  public static HeldOut of(String metric, List<double[]> toldAndMeasured) {
    double told = 0;
    double measured = 0;
    List<Double> errors = new ArrayList<>();
    for (double[] pair : toldAndMeasured) {
      told += pair[0];
      measured += pair[1];
      errors.add(Math.abs(pair[0] / pair[1] - 1));
    }
    Collections.sort(errors);
    return new HeldOut(
        metric,
        Math.abs(told / measured - 1),
        quantile(errors, 0.5),
        quantile(errors, 0.9),
        errors.size());
  }

  private static double quantile(List<Double> sorted, double share) {
    return sorted.get((int) (share * (sorted.size() - 1)));
  }

  /** As a person reads it. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%s: mean off by %.1f %%, single points by %.1f %% (median) and %.1f %% (p90), %d points",
        metric.toUpperCase(Locale.ROOT),
        100 * mean,
        100 * median,
        100 * p90,
        points);
  }
}
