package io.orrery.parquet;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a column that wait for being encoded, so that many of one column are encoded at once:
 * what its encoding needs then stays in the processor's caches.
 */
final class PendingRows {
  private static final int FIRST_CAPACITY = 1 << 8;

  /** Values, or characters of text, with which there are enough to encode. */
  private static final int MOST_VALUES = 1 << 20;

  private final Column column;
  private boolean[] booleans = {};
  private int[] ints = {};
  private long[] longs = {};
  private double[] doubles = {};
  private @Nullable String[] texts = {};
  private int[] offsets = {0};
  private final BitSet nulls = new BitSet();
  private int rows;
  private int values;
  private long characters;

  PendingRows(Column column) {
    this.column = column;
  }

  int rows() {
    return rows;
  }

  /** Whether they should be encoded before there are more. */
  boolean areMany() {
    return values + characters >= MOST_VALUES;
  }

  void add(boolean value) {
    if (values == booleans.length) {
      booleans = Arrays.copyOf(booleans, more(values + 1));
    }
    booleans[values++] = value;
    rows++;
  }

  void add(int value) {
    reserveInts(values + 1);
    ints[values++] = value;
    rows++;
  }

  void add(long value) {
    reserveLongs(values + 1);
    longs[values++] = value;
    rows++;
  }

  void add(double value) {
    if (values == doubles.length) {
      doubles = Arrays.copyOf(doubles, more(values + 1));
    }
    doubles[values++] = value;
    rows++;
  }

  void add(@Nullable String value) {
    if (values == texts.length) {
      texts = Arrays.copyOf(texts, more(values + 1));
    }
    texts[values++] = value;
    rows++;
    characters += value == null ? 0 : value.length();
  }

  void addList(int[] list, int from, int to) {
    reserveInts(values + to - from);
    System.arraycopy(list, from, ints, values, to - from);
    endList(to - from);
  }

  void addList(long[] list, int from, int to) {
    reserveLongs(values + to - from);
    System.arraycopy(list, from, longs, values, to - from);
    endList(to - from);
  }

  /** A row without a value. */
  void addNull() {
    nulls.set(rows);
    switch (column.type()) {
      case BOOLEAN -> add(false);
      case INT -> add(0);
      case LONG -> add(0L);
      case DOUBLE -> add(0.0);
      case STRING -> add((String) null);
      default -> endList(0);
    }
  }

  private void endList(int length) {
    values += length;
    rows++;
    if (rows == offsets.length) {
      offsets = Arrays.copyOf(offsets, more(rows + 1));
    }
    offsets[rows] = values;
  }

  private void reserveInts(int needed) {
    if (needed > ints.length) {
      ints = Arrays.copyOf(ints, more(needed));
    }
  }

  private void reserveLongs(int needed) {
    if (needed > longs.length) {
      longs = Arrays.copyOf(longs, more(needed));
    }
  }

  private static int more(int needed) {
    return Math.max(FIRST_CAPACITY, needed + needed / 2);
  }

  /** The rows, at the beginning of arrays that are theirs until {@link #clear}. */
  ColumnData data() {
    return switch (column.type()) {
      case BOOLEAN -> new ColumnData(column, booleans, null, nulls);
      case INT -> new ColumnData(column, ints, null, nulls);
      case LONG -> new ColumnData(column, longs, null, nulls);
      case DOUBLE -> new ColumnData(column, doubles, null, nulls);
      case STRING -> new ColumnData(column, texts, null, nulls);
      case INT_LIST -> new ColumnData(column, ints, offsets, nulls);
      case LONG_LIST -> new ColumnData(column, longs, offsets, nulls);
      case OTHER -> throw new IllegalStateException("rows of " + column);
    };
  }

  void clear() {
    Arrays.fill(texts, 0, column.type() == ColumnType.STRING ? values : 0, null);
    nulls.clear();
    rows = 0;
    values = 0;
    characters = 0;
  }
}
