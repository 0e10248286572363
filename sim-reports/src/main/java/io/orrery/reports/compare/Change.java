package io.orrery.reports.compare;

import io.orrery.reports.summary.Metric;

/**
 * A number of two variants, paired by seed.
 *
 * @param key of the summary
 * @param before mean over the seeds
 * @param after mean over the same seeds
 * @param seeds how many pairs there are
 * @param halfWidth half of the 95 % interval of the mean difference (Student's t over the pairs);
 *     NaN for a single pair
 * @param better which way is better
 * @param verdict what that means
 */
public record Change(
    String key,
    double before,
    double after,
    int seeds,
    double halfWidth,
    Metric.Better better,
    Verdict verdict) {
  /** What a difference means. */
  public enum Verdict {
    /** Equal to the last digit, for every seed. */
    IDENTICAL("identical"),
    /** Different by less than half a percent. */
    SAME("same"),
    /** The interval over seeds holds zero. */
    NOISE("~"),
    BETTER("better"),
    WORSE("worse"),
    /** A difference of a number that is neither good nor bad. */
    CHANGED("changed");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** The mean difference. */
  public double delta() {
    return after - before;
  }

  /**
   * The difference as a share of the value before; infinite from nothing, 0 if both are nothing.
   */
  public double relative() {
    if (after == before) {
      return 0;
    }
    return before == 0
        ? Math.copySign(Double.POSITIVE_INFINITY, after)
        : delta() / Math.abs(before);
  }
}
