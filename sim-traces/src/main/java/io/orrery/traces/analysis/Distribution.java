package io.orrery.traces.analysis;

import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.LongColumn;

/**
 * Exact quantiles of some values: the smallest value that so large a share of them do not exceed.
 *
 * @param count of values; with none, all else is NaN
 */
public record Distribution(
    long count, double mean, double p10, double p50, double p90, double p99, double max) {
  /** Of these values, in any order. */
  public static Distribution of(LongColumn values) {
    LongColumn sorted = StableOrder.sorted(values);
    ExactSum sum = new ExactSum();
    for (int i = 0; i < sorted.size(); i++) {
      sum.add(sorted.get(i));
    }
    Distribution distribution =
        new Distribution(
            sorted.size(),
            sum.value() / sorted.size(),
            quantile(sorted, 0.1),
            quantile(sorted, 0.5),
            quantile(sorted, 0.9),
            quantile(sorted, 0.99),
            quantile(sorted, 1));
    sorted.release();
    return distribution;
  }

  /** The same in a unit that is so many times as large. */
  public Distribution in(double unit) {
    return new Distribution(
        count, mean / unit, p10 / unit, p50 / unit, p90 / unit, p99 / unit, max / unit);
  }

  /**
   * The place, from 1, of a quantile among so many sorted values.
   *
   * @param count at least 1
   */
  public static long rank(double share, long count) {
    return Math.max(1, Math.min(count, (long) Math.ceil(share * count - 1e-9)));
  }

  private static double quantile(LongColumn sorted, double share) {
    int count = sorted.size();
    if (count == 0) {
      return Double.NaN;
    }
    return sorted.get((int) rank(share, count) - 1);
  }
}
