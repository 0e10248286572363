package io.orrery.traces;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An optional column: costs nothing until a row has a value. */
final class SparseColumn {
  private final long missing;
  private long @Nullable [] values;

  SparseColumn(long missing) {
    this.missing = missing;
  }

  void set(int row, long value) {
    long[] array = values;
    if (array == null) {
      if (value == missing) {
        return;
      }
      array = new long[0];
    }
    if (row >= array.length) {
      int old = array.length;
      array = Arrays.copyOf(array, Math.max(row + 1, IntColumn.grown(old)));
      Arrays.fill(array, old, array.length, missing);
    }
    array[row] = value;
    values = array;
  }

  long get(int row) {
    long[] array = values;
    return array == null || row >= array.length ? missing : array[row];
  }

  /** The values in the given order of rows, null where no row has one. */
  long @Nullable [] longs(int[] order) {
    if (values == null) {
      return null;
    }
    long[] result = new long[order.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = get(order[i]);
    }
    return result;
  }

  /** As {@link #longs}, for values that are ints. */
  int @Nullable [] ints(int[] order) {
    if (values == null) {
      return null;
    }
    int[] result = new int[order.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = Math.toIntExact(get(order[i]));
    }
    return result;
  }
}
