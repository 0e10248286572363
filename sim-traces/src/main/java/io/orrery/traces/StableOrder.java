package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/** A stable sort of row numbers by a key, nothing boxed. */
public final class StableOrder {
  private StableOrder() {}

  /** The rows 0 .. keys.length − 1 by ascending key, rows with equal keys in their own order. */
  public static int[] of(long[] keys) {
    return of(keys, keys.length);
  }

  /** The rows 0 .. count − 1 by ascending key, rows with equal keys in their own order. */
  public static int[] of(long[] keys, int count) {
    return DigitSort.withRows(keys, count).rows();
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
}
