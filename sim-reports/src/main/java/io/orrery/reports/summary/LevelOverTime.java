package io.orrery.reports.summary;

import java.util.Arrays;

/**
 * How long a non-negative whole level lasted, value by value. Exact for up to {@value #EXACT_LIMIT}
 * distinct levels; beyond that, levels are rounded down to {@value #KEPT_BITS} significant bits for
 * quantiles. Mean and maximum stay exact.
 */
final class LevelOverTime {
  static final int EXACT_LIMIT = 1 << 20;
  private static final int KEPT_BITS = 10;

  private long[] levels = new long[64];
  private long[] spans = new long[64];
  private int entries;
  private int sortedEntries;
  private boolean rounded;
  private long nanos;
  private double levelNanos;
  private long max;

  /** The level was {@code level} for {@code span} nanoseconds. */
  void add(long level, long span) {
    if (span == 0) {
      return;
    }
    nanos += span;
    levelNanos += (double) level * span;
    max = Math.max(max, level);
    long kept = rounded ? rounded(level) : level;
    if (entries > 0 && levels[entries - 1] == kept) {
      spans[entries - 1] += span;
      return;
    }
    if (entries == levels.length) {
      makeRoom();
    }
    levels[entries] = kept;
    spans[entries++] = span;
  }

  private void makeRoom() {
    if (entries >= EXACT_LIMIT) {
      sortAndMerge();
      if (entries > EXACT_LIMIT / 2 && !rounded) {
        rounded = true;
        for (int i = 0; i < entries; i++) {
          levels[i] = rounded(levels[i]);
        }
        sortedEntries = 0;
        sortAndMerge();
      }
    }
    if (entries == levels.length) {
      levels = Arrays.copyOf(levels, entries * 2);
      spans = Arrays.copyOf(spans, entries * 2);
    }
  }

  private static long rounded(long level) {
    int surplus = 64 - Long.numberOfLeadingZeros(level) - KEPT_BITS;
    return surplus <= 0 ? level : level >>> surplus << surplus;
  }

  private void sortAndMerge() {
    if (sortedEntries == entries) {
      return;
    }
    int[] order = TimeOrder.of(levels, entries);
    long[] mergedLevels = new long[levels.length];
    long[] mergedSpans = new long[spans.length];
    int kept = 0;
    for (int i : order) {
      if (kept > 0 && mergedLevels[kept - 1] == levels[i]) {
        mergedSpans[kept - 1] += spans[i];
      } else {
        mergedLevels[kept] = levels[i];
        mergedSpans[kept++] = spans[i];
      }
    }
    levels = mergedLevels;
    spans = mergedSpans;
    entries = kept;
    sortedEntries = kept;
  }

  /** Time measured. */
  long nanos() {
    return nanos;
  }

  /** Time-weighted mean; NaN without time. */
  double mean() {
    return levelNanos / nanos;
  }

  /** The highest level that lasted. */
  long max() {
    return max;
  }

  /** Bound of the relative error of quantiles: 0 when exact. */
  double relativeError() {
    return rounded ? Math.scalb(1.0, 1 - KEPT_BITS) : 0;
  }

  /** The least level that was not exceeded for the share {@code q} of the time. */
  long quantile(double q) {
    sortAndMerge();
    double least = q * nanos;
    long passed = 0;
    for (int i = 0; i < entries; i++) {
      passed += spans[i];
      if (passed >= least) {
        return levels[i];
      }
    }
    return max;
  }
}
