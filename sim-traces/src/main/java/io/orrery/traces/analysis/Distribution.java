package io.orrery.traces.analysis;

import java.util.Arrays;

/**
 * Exact quantiles of some values: the smallest value that so large a share of them do not exceed.
 *
 * @param count of values; with none, all else is NaN
 */
public record Distribution(
    long count, double mean, double p10, double p50, double p90, double p99, double max) {
  /** Of these values, in any order. */
  public static Distribution of(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    double sum = 0;
    for (long value : sorted) {
      sum += value;
    }
    return new Distribution(
        sorted.length,
        sum / sorted.length,
        quantile(sorted, 0.1),
        quantile(sorted, 0.5),
        quantile(sorted, 0.9),
        quantile(sorted, 0.99),
        quantile(sorted, 1));
  }

  /** The same in a unit that is so many times as large. */
  public Distribution in(double unit) {
    return new Distribution(
        count, mean / unit, p10 / unit, p50 / unit, p90 / unit, p99 / unit, max / unit);
  }

  private static double quantile(long[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * sorted.length - 1e-9);
    return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
  }
}
