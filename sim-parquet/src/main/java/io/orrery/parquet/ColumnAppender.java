package io.orrery.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/**
 * Takes a column's values, one for every row, in the order of the rows. All methods throw {@link
 * ParquetException} if the column is of another type.
 */
public final class ColumnAppender {
  private final Path file;
  private final Column column;
  private final ChunkWriter chunk;
  private long rows;

  ColumnAppender(Path file, Column column, Compression compression) {
    this.file = file;
    this.column = column;
    this.chunk = new ChunkWriter(new StoredColumn(column), compression);
  }

  /** Appends to a column of booleans. */
  public void add(boolean value) {
    expect(ColumnType.BOOLEAN);
    begin();
    chunk.values().writeBoolean(value);
  }

  /** Appends to a column of ints, longs or doubles. */
  public void add(int value) {
    switch (column.type()) {
      case INT -> {
        begin();
        chunk.values().writeInteger(value);
      }
      case LONG -> add((long) value);
      case DOUBLE -> add((double) value);
      default -> throw wrongType(ColumnType.INT);
    }
  }

  /** Appends to a column of longs. */
  public void add(long value) {
    expect(ColumnType.LONG);
    begin();
    chunk.values().writeLong(value);
  }

  /** Appends to a column of doubles. */
  public void add(double value) {
    expect(ColumnType.DOUBLE);
    begin();
    chunk.values().writeDouble(value);
  }

  /** Appends to a column of text; null is a row without a value. */
  public void add(@Nullable String value) {
    expect(ColumnType.STRING);
    if (value == null) {
      addNull();
      return;
    }
    begin();
    chunk.values().writeBytes(Binary.fromString(value));
  }

  /** Appends a list, the elements {@code from} to {@code to} - 1 of {@code values}. */
  public void add(int[] values, int from, int to) {
    expect(ColumnType.INT_LIST);
    beginList(from, to);
    for (int i = from; i < to; i++) {
      announce(i == from);
      chunk.values().writeInteger(values[i]);
    }
  }

  /** Appends a list, the elements {@code from} to {@code to} - 1 of {@code values}. */
  public void add(long[] values, int from, int to) {
    expect(ColumnType.LONG_LIST);
    beginList(from, to);
    for (int i = from; i < to; i++) {
      announce(i == from);
      chunk.values().writeLong(values[i]);
    }
  }

  /** Appends a row without a value. */
  public void addNull() {
    if (!column.nullable()) {
      throw new ParquetException(
          file, column.name(), "no value for row " + rows, "a value in every row");
    }
    rows++;
    try {
      chunk.missing();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Appends rows of a column of the same type. */
  void addAll(ColumnData data, int from, int to) {
    BitSet nulls = data.nulls();
    int[] offsets = data.offsets();
    Object values = data.values();
    for (int row = from; row < to; row++) {
      if (nulls.get(row)) {
        addNull();
      } else if (values instanceof int[] ints) {
        if (offsets == null) {
          add(ints[row]);
        } else {
          add(ints, offsets[row], offsets[row + 1]);
        }
      } else if (values instanceof long[] longs) {
        if (offsets == null) {
          add(longs[row]);
        } else {
          add(longs, offsets[row], offsets[row + 1]);
        }
      } else if (values instanceof double[] doubles) {
        add(doubles[row]);
      } else if (values instanceof boolean[] booleans) {
        add(booleans[row]);
      } else {
        add(((String[]) values)[row]);
      }
    }
  }

  Column column() {
    return column;
  }

  /** Rows appended so far. */
  long rows() {
    return rows;
  }

  ChunkWriter chunk() {
    return chunk;
  }

  private void begin() {
    rows++;
    announce(true);
  }

  private void beginList(int from, int to) {
    rows++;
    if (from >= to) {
      try {
        chunk.emptyList();
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  private void announce(boolean begins) {
    try {
      chunk.value(begins);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void expect(ColumnType type) {
    if (column.type() != type) {
      throw wrongType(type);
    }
  }

  private ParquetException wrongType(ColumnType found) {
    return new ParquetException(
        file, column.name(), "a value of type " + found, "type " + column.type());
  }

  private ParquetException failed(IOException cause) {
    return new ParquetException(
        file, column.name(), ParquetFile.reason(cause), "values that can be encoded", cause);
  }
}
