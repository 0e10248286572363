package io.orrery.parquet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link ParquetTable} from arrays, column by column. The arrays are not copied: leave
 * them alone afterwards. Methods that take a {@code missing} value, or null, make the column
 * nullable.
 */
public final class ParquetTableBuilder {
  private final Map<String, ColumnData> columns = new LinkedHashMap<>();
  private final SortedMap<String, String> metadata = new TreeMap<>();

  ParquetTableBuilder() {}

  public ParquetTableBuilder ints(String name, int[] values) {
    return add(Column.required(name, ColumnType.INT), values, null, new BitSet());
  }

  /** Rows that hold {@code missing} have no value in the file. */
  public ParquetTableBuilder ints(String name, int[] values, int missing) {
    return add(
        Column.nullable(name, ColumnType.INT),
        values,
        null,
        rows(values.length, row -> values[row] == missing));
  }

  public ParquetTableBuilder longs(String name, long[] values) {
    return add(Column.required(name, ColumnType.LONG), values, null, new BitSet());
  }

  /** Rows that hold {@code missing} have no value in the file. */
  public ParquetTableBuilder longs(String name, long[] values, long missing) {
    return add(
        Column.nullable(name, ColumnType.LONG),
        values,
        null,
        rows(values.length, row -> values[row] == missing));
  }

  public ParquetTableBuilder doubles(String name, double[] values) {
    return add(Column.required(name, ColumnType.DOUBLE), values, null, new BitSet());
  }

  /** Rows that hold {@code missing}, which may be NaN, have no value in the file. */
  public ParquetTableBuilder doubles(String name, double[] values, double missing) {
    return add(
        Column.nullable(name, ColumnType.DOUBLE),
        values,
        null,
        rows(values.length, row -> Double.compare(values[row], missing) == 0));
  }

  public ParquetTableBuilder booleans(String name, boolean[] values) {
    return add(Column.required(name, ColumnType.BOOLEAN), values, null, new BitSet());
  }

  /**
   * @throws NullPointerException if a text is null
   */
  public ParquetTableBuilder strings(String name, String[] values) {
    for (String value : values) {
      Objects.requireNonNull(value, name);
    }
    return add(Column.required(name, ColumnType.STRING), values, null, new BitSet());
  }

  /** Rows that hold null have no value in the file. */
  public ParquetTableBuilder nullableStrings(String name, @Nullable String[] values) {
    return add(
        Column.nullable(name, ColumnType.STRING),
        values,
        null,
        rows(values.length, row -> values[row] == null));
  }

  public ParquetTableBuilder intLists(String name, IntLists lists) {
    return add(
        Column.required(name, ColumnType.INT_LIST), lists.values(), lists.offsets(), new BitSet());
  }

  public ParquetTableBuilder longLists(String name, LongLists lists) {
    return add(
        Column.required(name, ColumnType.LONG_LIST), lists.values(), lists.offsets(), new BitSet());
  }

  /**
   * Makes a column nullable that has been added, and these of its rows null.
   *
   * @throws IllegalArgumentException if there is no such column, or a row with elements in it
   */
  public ParquetTableBuilder nulls(String name, BitSet rows) {
    ColumnData data = columns.get(name);
    if (data == null) {
      throw new IllegalArgumentException("no column " + name + " has been added");
    }
    int[] offsets = data.offsets();
    if (rows.length() > data.rowCount()) {
      throw new IllegalArgumentException(name + " has no row " + (rows.length() - 1));
    }
    if (offsets != null && rows.stream().anyMatch(row -> offsets[row + 1] > offsets[row])) {
      throw new IllegalArgumentException(name + ": a null list has no elements");
    }
    BitSet nulls = (BitSet) data.nulls().clone();
    nulls.or(rows);
    Object values = data.values();
    if (values instanceof String[] texts) {
      @Nullable String[] some = texts.clone();
      rows.stream().forEach(row -> some[row] = null);
      values = some;
    }
    Column column = Column.nullable(name, data.column().type());
    columns.put(name, new ColumnData(column, values, offsets, nulls));
    return this;
  }

  /** Adds key-value metadata. */
  public ParquetTableBuilder metadata(String key, String value) {
    metadata.put(key, Objects.requireNonNull(value, key));
    return this;
  }

  /**
   * @throws IllegalArgumentException if columns differ in length
   */
  public ParquetTable build() {
    int rowCount = -1;
    for (ColumnData data : columns.values()) {
      if (rowCount >= 0 && data.rowCount() != rowCount) {
        throw new IllegalArgumentException(
            data.column().name() + " has " + data.rowCount() + " rows, not " + rowCount);
      }
      rowCount = data.rowCount();
    }
    return new ParquetTable(
        null, Math.max(0, rowCount), new ArrayList<>(columns.values()), metadata);
  }

  private ParquetTableBuilder add(
      Column column, Object values, int @Nullable [] offsets, BitSet nulls) {
    ColumnData data = new ColumnData(column, values, offsets, nulls);
    if (columns.put(column.name(), data) != null) {
      throw new IllegalArgumentException("two columns are called " + column.name());
    }
    return this;
  }

  private static BitSet rows(int count, IntPredicate which) {
    BitSet rows = new BitSet();
    for (int row = 0; row < count; row++) {
      if (which.test(row)) {
        rows.set(row);
      }
    }
    return rows;
  }
}
