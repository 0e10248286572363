package io.orrery.engine.record;

import io.orrery.traces.columns.IntColumn;
import org.jspecify.annotations.Nullable;

/** A number for every row, which takes space only once a row has another than the usual one. */
final class CountColumn {
  /** Rows that are summed at a time. */
  private static final int CHUNK = 4096;

  private final int usual;
  private int rows;
  private @Nullable IntColumn values;

  /**
   * @param usual the number of every row that has none of its own
   */
  CountColumn(int usual) {
    this.usual = usual;
  }

  /** Makes room for {@code count} rows. */
  void ensure(int count) {
    rows = count;
    if (values != null) {
      values.addRepeated(usual, rows - values.size());
    }
  }

  int get(int row) {
    return values == null ? usual : values.get(row);
  }

  /** The numbers of all rows together. */
  long sum() {
    IntColumn known = values;
    if (known == null) {
      return (long) rows * usual;
    }
    long sum = 0;
    int[] some = new int[Math.min(rows, CHUNK)];
    for (int from = 0; from < rows; from += CHUNK) {
      int count = Math.min(rows - from, CHUNK);
      known.copy(from, from + count, some);
      for (int i = 0; i < count; i++) {
        sum += some[i];
      }
    }
    return sum;
  }

  void set(int row, int value) {
    IntColumn known = values;
    if (known == null) {
      if (value == usual) {
        return;
      }
      known = IntColumn.filled(rows, usual);
      values = known;
    }
    known.set(row, value);
  }

  void increase(int row, int by) {
    set(row, get(row) + by);
  }
}
