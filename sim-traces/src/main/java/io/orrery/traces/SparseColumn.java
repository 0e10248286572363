package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import org.jspecify.annotations.Nullable;

/** An optional column: costs nothing until a row has a value. */
final class SparseColumn {
  private final long missing;
  private final LongColumn values = new LongColumn();

  SparseColumn(long missing) {
    this.missing = missing;
  }

  void set(int row, long value) {
    int size = values.size();
    if (row >= size) {
      if (size == 0 && value == missing) {
        return;
      }
      values.addRepeated(missing, row - size + 1);
    }
    values.set(row, value);
  }

  long get(int row) {
    return row >= values.size() ? missing : values.get(row);
  }

  /** The values in the given order of rows, null where no row has one. */
  @Nullable LongColumn longs(IntColumn order) {
    if (values.size() == 0) {
      return null;
    }
    LongColumn result = LongColumn.filled(order.size(), missing);
    for (int i = 0; i < order.size(); i++) {
      result.set(i, get(order.get(i)));
    }
    return result;
  }

  /** The first values as ints, null where no row has one. */
  @Nullable IntColumn ints(int rows) {
    if (values.size() == 0) {
      return null;
    }
    IntColumn result = new IntColumn();
    for (int i = 0; i < rows; i++) {
      result.add(Math.toIntExact(get(i)));
    }
    return result;
  }

  /** The first values, null where no row has one. */
  @Nullable LongColumn longs(int rows) {
    if (values.size() == 0) {
      return null;
    }
    LongColumn result = new LongColumn();
    for (int i = 0; i < rows; i++) {
      result.add(get(i));
    }
    return result;
  }

  /** As {@link #longs(IntColumn)}, for values that are ints. */
  @Nullable IntColumn ints(IntColumn order) {
    if (values.size() == 0) {
      return null;
    }
    IntColumn result = IntColumn.filled(order.size(), 0);
    for (int i = 0; i < order.size(); i++) {
      result.set(i, Math.toIntExact(get(order.get(i))));
    }
    return result;
  }
}
