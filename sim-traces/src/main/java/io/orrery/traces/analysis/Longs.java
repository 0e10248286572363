package io.orrery.traces.analysis;

import java.util.Arrays;

/** A growable {@code long[]}. */
final class Longs {
  private long[] values = new long[64];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
