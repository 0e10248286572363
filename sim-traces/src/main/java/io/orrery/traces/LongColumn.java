package io.orrery.traces;

import java.util.Arrays;

/** A growable {@code long[]}. */
final class LongColumn {
  private long[] values = new long[16];
  private int size;

  int size() {
    return size;
  }

  long get(int index) {
    return values[index];
  }

  void set(int index, long value) {
    values[index] = value;
  }

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, IntColumn.grown(size));
    }
    values[size++] = value;
  }

  /** Forgets everything. */
  void clear() {
    size = 0;
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
