package io.orrery.reports.summary;

import io.orrery.traces.StableOrder;
import java.util.Arrays;

/**
 * How long a non-negative whole level lasted, value by value. Quantiles are exact for up to {@value
 * #EXACT_LIMIT} distinct levels above {@value #DENSE}; beyond that, levels are rounded down to
 * {@value #KEPT_BITS} significant bits. Mean and maximum stay exact.
 */
final class LevelOverTime {
  static final int EXACT_LIMIT = 1 << 20;

  /** Levels below this have a counter each. */
  static final int DENSE = 1 << 16;

  private static final int KEPT_BITS = 10;

  private long[] spanOf = new long[64];
  private long[] levels = {};
  private long[] spans = {};
  private int entries;
  private boolean sorted = true;
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
    if (level < DENSE) {
      int index = (int) level;
      if (index >= spanOf.length) {
        spanOf = Arrays.copyOf(spanOf, Math.min(DENSE, Math.max(2 * spanOf.length, index + 1)));
      }
      spanOf[index] += span;
    } else {
      keep(rounded ? rounded(level) : level, span);
    }
  }

  private void keep(long level, long span) {
    if (entries > 0 && levels[entries - 1] == level) {
      spans[entries - 1] += span;
      return;
    }
    if (entries == levels.length) {
      makeRoom();
    }
    sorted &= entries == 0 || levels[entries - 1] < level;
    levels[entries] = level;
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
        mergeEqual();
      }
    }
    if (entries == levels.length) {
      levels = Arrays.copyOf(levels, Math.max(64, entries * 2));
      spans = Arrays.copyOf(spans, Math.max(64, entries * 2));
    }
  }

  private static long rounded(long level) {
    int surplus = 64 - Long.numberOfLeadingZeros(level) - KEPT_BITS;
    return surplus <= 0 ? level : level >>> surplus << surplus;
  }

  private void sortAndMerge() {
    if (sorted) {
      return;
    }
    int[] order = StableOrder.of(levels, entries);
    long[] sortedLevels = new long[levels.length];
    long[] sortedSpans = new long[spans.length];
    for (int i = 0; i < entries; i++) {
      sortedLevels[i] = levels[order[i]];
      sortedSpans[i] = spans[order[i]];
    }
    levels = sortedLevels;
    spans = sortedSpans;
    mergeEqual();
    sorted = true;
  }

  private void mergeEqual() {
    int kept = 0;
    for (int i = 0; i < entries; i++) {
      if (kept > 0 && levels[kept - 1] == levels[i]) {
        spans[kept - 1] += spans[i];
      } else {
        levels[kept] = levels[i];
        spans[kept++] = spans[i];
      }
    }
    entries = kept;
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
    double least = q * nanos;
    long passed = 0;
    for (int level = 0; level < spanOf.length; level++) {
      passed += spanOf[level];
      if (passed >= least) {
        return level;
      }
    }
    sortAndMerge();
    for (int i = 0; i < entries; i++) {
      passed += spans[i];
      if (passed >= least) {
        return levels[i];
      }
    }
    return max;
  }
}
