package io.orrery.traces;

import java.util.Arrays;

/** A growable {@code int[]}. */
final class IntColumn {
  private int[] values;
  private int size;

  IntColumn() {
    this(16);
  }

  IntColumn(int capacity) {
    values = new int[Math.max(1, capacity)];
  }

  int size() {
    return size;
  }

  int get(int index) {
    return values[index];
  }

  void set(int index, int value) {
    values[index] = value;
  }

  int last() {
    return values[size - 1];
  }

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, grown(size));
    }
    values[size++] = value;
  }

  void increment(int index) {
    values[index]++;
  }

  /** Forgets everything from {@code newSize} on. */
  void truncate(int newSize) {
    size = newSize;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** Half as much again: at one million rows the waste is a third, not a half. */
  static int grown(int size) {
    return Math.toIntExact(Math.max(16L, Math.min(Integer.MAX_VALUE - 8L, size + (size >> 1))));
  }
}
