package io.orrery.reports.summary;

/** Sorts indices by a {@code long} each, without boxing; equal ones keep their order. */
final class TimeOrder {
  private TimeOrder() {}

  /** The indices 0 .. count − 1 in the order of their keys. */
  static int[] of(long[] keys, int count) {
    int[] order = new int[count];
    boolean sorted = true;
    for (int i = 0; i < count; i++) {
      order[i] = i;
      sorted &= i == 0 || keys[i - 1] <= keys[i];
    }
    if (sorted) {
      return order;
    }
    int[] from = order;
    int[] to = new int[count];
    for (int width = 1; width < count; width *= 2) {
      for (int start = 0; start < count; start += 2 * width) {
        merge(
            keys,
            from,
            to,
            start,
            Math.min(start + width, count),
            Math.min(start + 2 * width, count));
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void merge(long[] keys, int[] from, int[] to, int start, int middle, int end) {
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right >= end || (left < middle && keys[from[left]] <= keys[from[right]]);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }
}
