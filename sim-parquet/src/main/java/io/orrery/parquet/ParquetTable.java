package io.orrery.parquet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Columns in memory: a file, some of its columns, or one of its row groups. Immutable.
 *
 * <p>A column is asked for by name and as what the caller can use: an int column also gives longs
 * and doubles, a long column also ints where all its values are. The arrays are the table's own
 * where type and nulls allow: do not write into them. Rows without a value are an error unless the
 * caller says what to put there, or asks {@link #isNull}.
 */
public final class ParquetTable {
  private final @Nullable Path file;
  private final Schema schema;
  private final int rowCount;
  private final List<ColumnData> columns;
  private final SortedMap<String, String> metadata;

  ParquetTable(
      @Nullable Path file,
      int rowCount,
      List<ColumnData> columns,
      SortedMap<String, String> metadata) {
    this.file = file;
    this.schema = schemaOf(columns);
    this.rowCount = rowCount;
    this.columns = List.copyOf(columns);
    this.metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
  }

  /** Starts a table in memory. */
  public static ParquetTableBuilder builder() {
    return new ParquetTableBuilder();
  }

  /** The columns, in the order in which they were asked for; all of a file's in its own. */
  public Schema schema() {
    return schema;
  }

  public int rowCount() {
    return rowCount;
  }

  /** Key-value metadata, by key. */
  public SortedMap<String, String> metadata() {
    return metadata;
  }

  /** Whether a row has no value in a column. */
  public boolean isNull(String name, int row) {
    return data(name).nulls().get(row);
  }

  /** Rows without a value in a column. */
  public int nullCount(String name) {
    return data(name).nulls().cardinality();
  }

  /** Whether a column has a value in any row. */
  public boolean hasValues(String name) {
    return nullCount(name) < rowCount;
  }

  /**
   * A column of ints, or of longs that are all ints.
   *
   * @throws ParquetException if there is no such column, or another type, null or number in it
   */
  public int[] ints(String name) {
    return toInts(withoutNulls(data(name)));
  }

  /** {@link #ints(String)} with {@code missing} where a row has no value. */
  public int[] ints(String name, int missing) {
    ColumnData data = data(name);
    int[] values = toInts(data);
    if (data.nulls().isEmpty()) {
      return values;
    }
    int[] filled = values.clone();
    data.nullStretches((from, to) -> Arrays.fill(filled, from, to, missing));
    return filled;
  }

  /**
   * A column of longs or ints.
   *
   * @throws ParquetException if there is no such column, or another type or null in it
   */
  public long[] longs(String name) {
    return toLongs(withoutNulls(data(name)));
  }

  /** {@link #longs(String)} with {@code missing} where a row has no value. */
  public long[] longs(String name, long missing) {
    ColumnData data = data(name);
    long[] values = toLongs(data);
    if (data.nulls().isEmpty()) {
      return values;
    }
    long[] filled = values.clone();
    data.nullStretches((from, to) -> Arrays.fill(filled, from, to, missing));
    return filled;
  }

  /**
   * A column of doubles or ints.
   *
   * @throws ParquetException if there is no such column, or another type or null in it
   */
  public double[] doubles(String name) {
    return toDoubles(withoutNulls(data(name)));
  }

  /** {@link #doubles(String)} with {@code missing} where a row has no value. */
  public double[] doubles(String name, double missing) {
    ColumnData data = data(name);
    double[] values = toDoubles(data);
    if (data.nulls().isEmpty()) {
      return values;
    }
    double[] filled = values.clone();
    data.nullStretches((from, to) -> Arrays.fill(filled, from, to, missing));
    return filled;
  }

  /**
   * A column of booleans.
   *
   * @throws ParquetException if there is no such column, or another type or null in it
   */
  public boolean[] booleans(String name) {
    return (boolean[]) withoutNulls(typed(name, ColumnType.BOOLEAN)).values();
  }

  /** {@link #booleans(String)} with {@code missing} where a row has no value. */
  public boolean[] booleans(String name, boolean missing) {
    ColumnData data = typed(name, ColumnType.BOOLEAN);
    boolean[] filled = ((boolean[]) data.values()).clone();
    data.nullStretches((from, to) -> Arrays.fill(filled, from, to, missing));
    return filled;
  }

  /**
   * A column of text. Equal texts are one instance where the file has a dictionary of them.
   *
   * @throws ParquetException if there is no such column, or another type or null in it
   */
  public String[] strings(String name) {
    return (String[]) withoutNulls(typed(name, ColumnType.STRING)).values();
  }

  /** {@link #strings(String)} with null where a row has no value. */
  public @Nullable String[] nullableStrings(String name) {
    return (@Nullable String[]) typed(name, ColumnType.STRING).values();
  }

  /**
   * A column of lists of ints; rows without a value hold an empty list.
   *
   * @throws ParquetException if there is no such column, or another type
   */
  public IntLists intLists(String name) {
    ColumnData data = typed(name, ColumnType.INT_LIST);
    return new IntLists(data.listOffsets(), (int[]) data.values());
  }

  /**
   * A column of lists of longs; rows without a value hold an empty list.
   *
   * @throws ParquetException if there is no such column, or another type
   */
  public LongLists longLists(String name) {
    ColumnData data = typed(name, ColumnType.LONG_LIST);
    return new LongLists(data.listOffsets(), (long[]) data.values());
  }

  /** The columns, in order. */
  List<ColumnData> columns() {
    return columns;
  }

  private ColumnData data(String name) {
    int position = schema.position(name);
    if (position < 0) {
      throw new ParquetException(file, name, "no such column", schema.alternatives(name));
    }
    return columns.get(position);
  }

  private ColumnData typed(String name, ColumnType expected) {
    ColumnData data = data(name);
    if (data.column().type() != expected) {
      throw wrongType(data, expected);
    }
    return data;
  }

  private ColumnData withoutNulls(ColumnData data) {
    if (!data.nulls().isEmpty()) {
      throw new ParquetException(
          file,
          data.column().name(),
          "no value in row " + data.nulls().nextSetBit(0) + " of " + rowCount,
          "a value in every row");
    }
    return data;
  }

  private int[] toInts(ColumnData data) {
    if (data.column().type() == ColumnType.INT) {
      return (int[]) data.values();
    }
    if (data.column().type() != ColumnType.LONG) {
      throw wrongType(data, ColumnType.INT);
    }
    long[] longs = (long[]) data.values();
    int[] ints = new int[longs.length];
    for (int row = 0; row < longs.length; row++) {
      ints[row] = (int) longs[row];
      if (ints[row] != longs[row] && !data.nulls().get(row)) {
        throw new ParquetException(
            file,
            data.column().name(),
            longs[row] + " in row " + row,
            "numbers from -2147483648 to 2147483647");
      }
    }
    return ints;
  }

  private long[] toLongs(ColumnData data) {
    if (data.column().type() == ColumnType.LONG) {
      return (long[]) data.values();
    }
    if (data.column().type() == ColumnType.INT) {
      return Arrays.stream((int[]) data.values()).asLongStream().toArray();
    }
    throw wrongType(data, ColumnType.LONG);
  }

  private double[] toDoubles(ColumnData data) {
    if (data.column().type() == ColumnType.DOUBLE) {
      return (double[]) data.values();
    }
    if (data.column().type() == ColumnType.INT) {
      return Arrays.stream((int[]) data.values()).asDoubleStream().toArray();
    }
    throw wrongType(data, ColumnType.DOUBLE);
  }

  private static Schema schemaOf(List<ColumnData> columns) {
    List<Column> schema = new ArrayList<>();
    for (ColumnData data : columns) {
      schema.add(data.column());
    }
    return Schema.of(schema);
  }

  private ParquetException wrongType(ColumnData data, ColumnType expected) {
    return new ParquetException(
        file, data.column().name(), "a column of type " + data.column().type(), "type " + expected);
  }
}
