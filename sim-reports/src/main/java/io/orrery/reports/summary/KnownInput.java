package io.orrery.reports.summary;

import java.util.OptionalDouble;

/**
 * What a summary's hit rates are where a part of the input has no identity: shares of the rest,
 * since nothing is known of that part.
 */
public final class KnownInput {
  private KnownInput() {}

  /** The share of the input that has no identity, 0 where all has. */
  public static double unidentifiedShare(Summary summary) {
    return summary.get("hit_rate.unidentified_share", 0);
  }

  /** Whether all input has an identity, trailing partial blocks aside. */
  public static boolean isAll(Summary summary) {
    return summary.get("hit_rate.unidentified_share").isEmpty();
  }

  /**
   * A share of all input as a share of the input with an identity; empty where there is none, or
   * where all input has one and the share stands for itself.
   *
   * @param key of a share of all input tokens
   */
  public static OptionalDouble share(Summary summary, String key) {
    OptionalDouble share = summary.get(key);
    double known = 1 - unidentifiedShare(summary);
    return isAll(summary) || share.isEmpty() || known <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(share.getAsDouble() / known);
  }
}
