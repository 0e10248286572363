package io.orrery.traces;

/** A stable sort of row numbers by a key, nothing boxed. */
public final class StableOrder {
  private StableOrder() {}

  /** The rows 0 .. keys.length − 1 by ascending key, rows with equal keys in their own order. */
  public static int[] of(long[] keys) {
    return of(keys, keys.length);
  }

  /** The rows 0 .. count − 1 by ascending key, rows with equal keys in their own order. */
  public static int[] of(long[] keys, int count) {
    int[] rows = new int[count];
    boolean sorted = true;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = i;
      sorted &= i == 0 || keys[i - 1] <= keys[i];
    }
    if (sorted) {
      return rows;
    }
    int[] other = new int[rows.length];
    for (long width = 1; width < count; width *= 2) {
      for (long start = 0; start < count; start += 2 * width) {
        int middle = (int) Math.min(start + width, count);
        int end = (int) Math.min(start + 2 * width, count);
        merge(keys, rows, (int) start, middle, end, other);
      }
      int[] merged = other;
      other = rows;
      rows = merged;
    }
    return rows;
  }

  private static void merge(long[] keys, int[] rows, int start, int middle, int end, int[] into) {
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = left < middle && (right >= end || keys[rows[left]] <= keys[rows[right]]);
      into[i] = takeLeft ? rows[left++] : rows[right++];
    }
  }
}
