package io.orrery.parquet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of longs for every row, end to end: row {@code r} holds {@code values[offsets[r]]} to
 * {@code values[offsets[r + 1] - 1]}. The arrays are not copied.
 *
 * @param offsets rows + 1 positions in {@code values}, ascending, from 0 to its length
 * @param values the elements of all rows
 */
public record LongLists(int[] offsets, long[] values) {
  /**
   * @throws IllegalArgumentException if the offsets do not cut the values into rows
   */
  public LongLists {
    Offsets.check(offsets, values.length);
  }

  /** Lists from one array per row. */
  public static LongLists of(long[]... rows) {
    int[] offsets = new int[rows.length + 1];
    for (int row = 0; row < rows.length; row++) {
      offsets[row + 1] = Math.addExact(offsets[row], rows[row].length);
    }
    long[] values = new long[offsets[rows.length]];
    for (int row = 0; row < rows.length; row++) {
      System.arraycopy(rows[row], 0, values, offsets[row], rows[row].length);
    }
    return new LongLists(offsets, values);
  }

  public int rowCount() {
    return offsets.length - 1;
  }

  /** Elements of a row. */
  public int length(int row) {
    return offsets[row + 1] - offsets[row];
  }

  /** Element {@code index} of a row. */
  public long get(int row, int index) {
    return values[offsets[row] + index];
  }

  /** A row's elements, copied. */
  public long[] row(int row) {
    return Arrays.copyOfRange(values, offsets[row], offsets[row + 1]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LongLists that
        && Arrays.equals(offsets, that.offsets)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return rowCount() + " lists of " + values.length + " longs";
  }
}
