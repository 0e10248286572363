package io.orrery.parquet;

import java.util.Arrays;
import java.util.BitSet;

/** Collects a column's rows, chunk by chunk. */
final class ColumnBuilder {
  private final LeafColumn leaf;
  private final ColumnValues values;
  private final BitSet nulls = new BitSet();
  private int[] starts = new int[16];
  private int rows;

  ColumnBuilder(LeafColumn leaf) {
    this.leaf = leaf;
    this.values = ColumnValues.of(leaf);
  }

  /** Where values go. */
  ColumnValues values() {
    return values;
  }

  int rows() {
    return rows;
  }

  /** Counts rows whose values have been appended. */
  void rows(int count) {
    rows = Math.addExact(rows, count);
  }

  /** Counts rows without a value. */
  void nullRows(int count) {
    nulls.set(rows, Math.addExact(rows, count));
    values.appendMissing(count);
    rows += count;
  }

  /**
   * Begins a row that holds a list.
   *
   * @param pending elements of earlier rows that are still to be appended
   */
  void listRow(int pending, boolean isNull) {
    if (rows == starts.length) {
      starts = Arrays.copyOf(starts, Math.multiplyExact(2, rows));
    }
    starts[rows] = Math.addExact(values.size(), pending);
    if (isNull) {
      nulls.set(rows);
    }
    rows++;
  }

  ColumnData build() {
    if (!leaf.isList()) {
      return new ColumnData(leaf.column(), values.array(), null, nulls);
    }
    int[] offsets = Arrays.copyOf(starts, rows + 1);
    offsets[rows] = values.size();
    return new ColumnData(leaf.column(), values.array(), offsets, nulls);
  }
}
