package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;

/**
 * A stable sort of row numbers by a key, nothing boxed: a merge sort that moves the keys along, so
 * that it reads memory in order, and leaves alone what is in order already.
 */
public final class StableOrder {
  private static final int SMALL = 16;

  private StableOrder() {}

  /** The rows 0 .. keys.length − 1 by ascending key, rows with equal keys in their own order. */
  public static int[] of(long[] keys) {
    return of(keys, keys.length);
  }

  /** The rows 0 .. count − 1 by ascending key, rows with equal keys in their own order. */
  public static int[] of(long[] keys, int count) {
    int[] rows = new int[count];
    boolean sorted = true;
    for (int i = 0; i < count; i++) {
      rows[i] = i;
      sorted &= i == 0 || keys[i - 1] <= keys[i];
    }
    if (sorted) {
      return rows;
    }
    long[] sortedKeys = Arrays.copyOf(keys, count);
    for (int start = 0; start < count; start += SMALL) {
      insert(sortedKeys, rows, start, Math.min(start + SMALL, count));
    }
    return merged(sortedKeys, rows);
  }

  /**
   * The rows 0 .. size − 1 by ascending key, rows with equal keys in their own order. However many
   * they are, the heap holds some 32 MiB of them at a time.
   */
  public static IntColumn of(LongColumn keys) {
    return new ColumnOrder(keys, ColumnOrder.USUAL_CHUNK).order();
  }

  /** The values by size, in the same bounded heap. */
  public static LongColumn sorted(LongColumn values) {
    return new ColumnOrder(values, ColumnOrder.USUAL_CHUNK).sorted();
  }

  /** Sorts few rows by insertion. */
  private static void insert(long[] keys, int[] rows, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      long key = keys[i];
      int row = rows[i];
      int j = i;
      while (j > start && keys[j - 1] > key) {
        keys[j] = keys[j - 1];
        rows[j] = rows[j - 1];
        j--;
      }
      keys[j] = key;
      rows[j] = row;
    }
  }

  private static int[] merged(long[] keys, int[] rows) {
    long[] keysFrom = keys;
    int[] rowsFrom = rows;
    long[] keysTo = new long[keys.length];
    int[] rowsTo = new int[rows.length];
    for (long width = SMALL; width < rows.length; width *= 2) {
      for (long start = 0; start < rows.length; start += 2 * width) {
        int middle = (int) Math.min(start + width, rows.length);
        int end = (int) Math.min(start + 2 * width, rows.length);
        merge(keysFrom, rowsFrom, (int) start, middle, end, keysTo, rowsTo);
      }
      long[] keySwap = keysFrom;
      keysFrom = keysTo;
      keysTo = keySwap;
      int[] rowSwap = rowsFrom;
      rowsFrom = rowsTo;
      rowsTo = rowSwap;
    }
    return rowsFrom;
  }

  private static void merge(
      long[] keys, int[] rows, int start, int middle, int end, long[] keysTo, int[] rowsTo) {
    if (middle == end || keys[middle - 1] <= keys[middle]) {
      System.arraycopy(keys, start, keysTo, start, end - start);
      System.arraycopy(rows, start, rowsTo, start, end - start);
      return;
    }
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right >= end || (left < middle && keys[left] <= keys[right]);
      int from = takeLeft ? left++ : right++;
      keysTo[i] = keys[from];
      rowsTo[i] = rows[from];
    }
  }
}
