package io.orrery.parquet;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Takes a column's values, one for every row, in the order of the rows. All methods throw {@link
 * ParquetException} if the column is of another type.
 */
public final class ColumnAppender {
  private final Path file;
  private final Column column;
  private final ChunkWriter chunk;
  private final PendingRows pending;
  private long rows;

  ColumnAppender(Path file, Column column, Compression compression) {
    this.file = file;
    this.column = column;
    this.chunk = new ChunkWriter(new StoredColumn(column), compression);
    this.pending = new PendingRows(column);
  }

  /** Appends to a column of booleans. */
  public void add(boolean value) {
    expect(ColumnType.BOOLEAN);
    pending.add(value);
    rows++;
  }

  /** Appends to a column of ints, longs or doubles. */
  public void add(int value) {
    switch (column.type()) {
      case INT -> {
        pending.add(value);
        rows++;
      }
      case LONG -> add((long) value);
      case DOUBLE -> add((double) value);
      default -> throw wrongType(ColumnType.INT);
    }
  }

  /** Appends to a column of longs. */
  public void add(long value) {
    expect(ColumnType.LONG);
    pending.add(value);
    rows++;
  }

  /** Appends to a column of doubles. */
  public void add(double value) {
    expect(ColumnType.DOUBLE);
    pending.add(value);
    rows++;
  }

  /** Appends to a column of text; null is a row without a value. */
  public void add(@Nullable String value) {
    expect(ColumnType.STRING);
    if (value == null) {
      addNull();
      return;
    }
    pending.add(value);
    rows++;
  }

  /** Appends a list, the elements {@code from} to {@code to} - 1 of {@code values}. */
  public void add(int[] values, int from, int to) {
    expect(ColumnType.INT_LIST);
    pending.addList(values, from, to);
    rows++;
  }

  /** Appends a list, the elements {@code from} to {@code to} - 1 of {@code values}. */
  public void add(long[] values, int from, int to) {
    expect(ColumnType.LONG_LIST);
    pending.addList(values, from, to);
    rows++;
  }

  /** Appends a row without a value. */
  public void addNull() {
    if (!column.nullable()) {
      throw new ParquetException(
          file, column.name(), "no value for row " + rows, "a value in every row");
    }
    pending.addNull();
    rows++;
  }

  /** Appends rows of a column of the same type, after {@link #encode}. */
  void addAll(ColumnData data, int from, int to) {
    encode(data, from, to);
    rows += to - from;
  }

  /** Whether there are many rows that are not encoded. */
  boolean isFull() {
    return pending.areMany();
  }

  /** Encodes all rows so far. */
  void encode() {
    if (pending.rows() > 0) {
      encode(pending.data(), 0, pending.rows());
      pending.clear();
    }
  }

  /** Encodes all rows of the row group and ends its chunk. */
  void finishChunk() {
    encode();
    try {
      chunk.finish();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void encode(ColumnData data, int from, int to) {
    try {
      chunk.add(data, from, to);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private ParquetException failed(IOException cause) {
    return new ParquetException(
        file, column.name(), ParquetFile.reason(cause), "values that can be encoded", cause);
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

  private void expect(ColumnType type) {
    if (column.type() != type) {
      throw wrongType(type);
    }
  }

  private ParquetException wrongType(ColumnType found) {
    return new ParquetException(
        file, column.name(), "a value of type " + found, "type " + column.type());
  }
}
