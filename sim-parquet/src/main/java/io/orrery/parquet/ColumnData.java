package io.orrery.parquet;

import java.lang.reflect.Array;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A column's values.
 *
 * @param values an array of the column's type (of its elements' type for a list), exactly as long
 *     as there are values; null rows hold an empty list, null for text, and anything for numbers
 * @param offsets of lists: rows + 1 positions in {@code values}
 * @param nulls rows without a value
 */
record ColumnData(Column column, Object values, int @Nullable [] offsets, BitSet nulls) {
  int rowCount() {
    return offsets == null ? Array.getLength(values) : offsets.length - 1;
  }

  /** Takes rows from one on to before another. */
  interface Stretch {
    void accept(int from, int to);
  }

  /** Hands over the rows without a value, those that follow each other at once. */
  void nullStretches(Stretch consumer) {
    int from = nulls.nextSetBit(0);
    while (from >= 0) {
      int to = nulls.nextClearBit(from);
      consumer.accept(from, to);
      from = nulls.nextSetBit(to);
    }
  }

  /** The offsets of a column that is known to hold lists. */
  int[] listOffsets() {
    if (offsets == null) {
      throw new IllegalStateException(column + " holds no lists");
    }
    return offsets;
  }
}
