package io.orrery.engine.record;

import io.orrery.traces.columns.ByteColumn;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import org.jspecify.annotations.Nullable;

/**
 * A time for every row, as nanoseconds since an earlier one: five bytes a row while all are below
 * {@link #MOST_NARROW}, 18 minutes, and eight from the first longer one on.
 */
final class GapColumn {
  /** No time. */
  static final long NONE = -1;

  /** Longest gap of five bytes, in nanoseconds. */
  static final long MOST_NARROW = (1L << 40) - 2;

  // A gap and one, so that zeros say that there is none.
  private final IntColumn low = new IntColumn();
  private final ByteColumn high = new ByteColumn();
  private @Nullable LongColumn wide;

  /** Makes room for {@code rows} rows; new ones have no time. */
  void ensure(int rows) {
    LongColumn all = wide;
    if (all != null) {
      all.addRepeated(NONE, rows - all.size());
      return;
    }
    low.addRepeated(0, rows - low.size());
    for (int row = (int) high.size(); row < rows; row++) {
      high.add((byte) 0);
    }
  }

  long get(int row) {
    LongColumn all = wide;
    return all == null
        ? ((high.get(row) & 0xFFL) << 32 | (low.get(row) & 0xFFFF_FFFFL)) - 1
        : all.get(row);
  }

  /** Sets the gap of a row, at least 0, or {@link #NONE}. */
  void set(int row, long gap) {
    LongColumn all = wide;
    if (all == null && gap > MOST_NARROW) {
      all = widened();
    }
    if (all == null) {
      low.set(row, (int) (gap + 1));
      high.set(row, (byte) ((gap + 1) >>> 32));
    } else {
      all.set(row, gap);
    }
  }

  private LongColumn widened() {
    LongColumn all = new LongColumn();
    for (int row = 0; row < low.size(); row++) {
      all.add(get(row));
    }
    low.release();
    high.release();
    wide = all;
    return all;
  }
}
