package io.orrery.parquet;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;

/**
 * Writes a Parquet file, row by row through {@link #column} and {@link #endRow}, or table by table.
 * However the rows come, the same rows give the same bytes.
 *
 * <p>Rows go to a file of a temporary name beside the wanted one, which {@link #commit} renames:
 * readers see a whole file or none. {@link #close} without {@code commit} leaves nothing behind.
 *
 * <pre>{@code
 * try (ParquetWriter writer = ParquetWriter.create(path, schema, options)) {
 *   ColumnAppender request = writer.column("request");
 *   ColumnAppender ttft = writer.column("ttftNanos");
 *   for (...) {
 *     request.add(id);
 *     ttft.add(nanos);
 *     writer.endRow();
 *   }
 *   writer.commit();
 * }
 * }</pre>
 */
public final class ParquetWriter implements Closeable {
  private static final int FORMAT_VERSION = 2;
  private static final int ROWS_ENCODED_AT_ONCE = 1 << 14;

  private final Path target;
  private final Path temporary;
  private final OutputStream out;
  private final Schema schema;
  private final WriteOptions options;
  private final Map<String, ColumnAppender> columns = new LinkedHashMap<>();

  /** The columns, in order. */
  private final ColumnAppender[] appenders;

  private final TreeMap<String, String> metadata = new TreeMap<>();
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private long position;
  private long rowCount;
  private int groupRows;
  private boolean open = true;

  private ParquetWriter(Path target, Schema schema, WriteOptions options) {
    this.target = target;
    this.schema = schema;
    this.options = options;
    for (Column column : schema.columns()) {
      columns.put(column.name(), new ColumnAppender(target, column, options.compression()));
    }
    this.appenders = columns.values().toArray(new ColumnAppender[0]);
    try {
      this.temporary = unused(target);
      this.out =
          new BufferedOutputStream(
              Files.newOutputStream(temporary, StandardOpenOption.WRITE), 1 << 16);
      write(ParquetFile.MAGIC);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /**
   * Begins a file.
   *
   * @throws ParquetException if it cannot be written
   * @throws IllegalArgumentException if there is no column, or one of type {@link ColumnType#OTHER}
   */
  public static ParquetWriter create(Path file, Schema schema, WriteOptions options) {
    if (schema.columns().isEmpty()) {
      throw new IllegalArgumentException("a file needs at least one column");
    }
    return new ParquetWriter(file, schema, options);
  }

  /**
   * Writes a file that holds a table and its metadata.
   *
   * @throws ParquetException if it cannot be written
   */
  public static void writeTable(Path file, ParquetTable table, WriteOptions options) {
    try (ParquetWriter writer = create(file, table.schema(), options)) {
      table.metadata().forEach(writer::metadata);
      writer.write(table);
      writer.commit();
    }
  }

  /**
   * The column to append values to; look it up once.
   *
   * @throws ParquetException if there is no such column
   */
  public ColumnAppender column(String name) {
    ColumnAppender column = columns.get(name);
    if (column == null) {
      throw new ParquetException(target, name, "no such column", schema.alternatives(name));
    }
    return column;
  }

  /**
   * Ends a row, after one value for every column.
   *
   * @throws ParquetException if a column has none or more than one
   */
  public void endRow() {
    requireOpen();
    boolean full = false;
    for (ColumnAppender column : appenders) {
      full |= column.isFull();
      if (column.rows() != rowCount + 1) {
        throw new ParquetException(
            target,
            column.column().name(),
            column.rows() - rowCount + " values in row " + rowCount,
            "one value a row");
      }
    }
    rowCount++;
    groupRows++;
    if (groupRows == options.rowGroupRows()) {
      endRowGroup();
    } else if (full || groupRows % ROWS_ENCODED_AT_ONCE == 0) {
      forEachColumn(ColumnAppender::encode);
    }
  }

  private void forEachColumn(Consumer<ColumnAppender> work) {
    Stream<ColumnAppender> each = Arrays.stream(appenders);
    (options.parallel() ? each.parallel() : each).forEach(work);
  }

  /**
   * Appends all rows of a table of this schema.
   *
   * @throws ParquetException if its columns are others
   */
  public void write(ParquetTable table) {
    requireOpen();
    if (!table.schema().equals(schema)) {
      throw new ParquetException(target, null, "a table of " + table.schema(), "columns " + schema);
    }
    forEachColumn(ColumnAppender::encode);
    int from = 0;
    while (from < table.rowCount()) {
      int count = Math.min(table.rowCount() - from, options.rowGroupRows() - groupRows);
      for (ColumnData data : table.columns()) {
        column(data.column().name()).addAll(data, from, from + count);
      }
      from += count;
      rowCount += count;
      groupRows += count;
      if (groupRows == options.rowGroupRows()) {
        endRowGroup();
      }
    }
  }

  /** Adds key-value metadata; a key that is there is replaced. */
  public void metadata(String key, String value) {
    requireOpen();
    metadata.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, key));
  }

  /** Rows ended so far. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Completes the file and gives it its name, replacing an older one.
   *
   * @throws ParquetException if it cannot be written
   */
  public void commit() {
    requireOpen();
    for (ColumnAppender column : appenders) {
      if (column.rows() != rowCount) {
        throw new ParquetException(
            target, column.column().name(), "a row that was not ended", "whole rows");
      }
    }
    if (groupRows > 0) {
      endRowGroup();
    }
    try {
      byte[] footer = ThriftBytes.of(footer());
      write(footer);
      write(
          ByteBuffer.allocate(Integer.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(footer.length)
              .array());
      write(ParquetFile.MAGIC);
      out.close();
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
      open = false;
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Ends the writing; what was not committed is gone. */
  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    try {
      out.close();
    } catch (IOException e) {
      throw unwritable(e);
    } finally {
      deleteTemporary();
    }
  }

  private void deleteTemporary() {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private void endRowGroup() {
    forEachColumn(ColumnAppender::finishChunk);
    try {
      RowGroup group = new RowGroup(new ArrayList<>(), 0, groupRows);
      group.setFile_offset(position);
      long start = position;
      for (ColumnAppender column : appenders) {
        ColumnChunk chunk = column.chunk().describe(position);
        for (byte[] piece : column.chunk().takePages()) {
          write(piece);
        }
        group.addToColumns(chunk);
        group.setTotal_byte_size(
            group.getTotal_byte_size() + chunk.getMeta_data().getTotal_uncompressed_size());
      }
      group.setTotal_compressed_size(position - start);
      rowGroups.add(group);
      groupRows = 0;
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private FileMetaData footer() {
    SchemaElement root = new SchemaElement("schema");
    root.setNum_children(schema.columns().size());
    List<SchemaElement> elements = new ArrayList<>(List.of(root));
    for (Column column : schema.columns()) {
      elements.addAll(new StoredColumn(column).elements());
    }
    FileMetaData footer = new FileMetaData(FORMAT_VERSION, elements, rowCount, rowGroups);
    footer.setCreated_by(options.createdBy());
    metadata.forEach(
        (key, value) -> footer.addToKey_value_metadata(new KeyValue(key).setValue(value)));
    return footer;
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    position += bytes.length;
  }

  private void requireOpen() {
    if (!open) {
      throw new IllegalStateException("the writer of " + target + " is closed");
    }
  }

  /** A new file beside {@code target}. */
  private static Path unused(Path target) throws IOException {
    for (int attempt = 0; ; attempt++) {
      Path path = target.resolveSibling("." + target.getFileName() + "." + attempt + ".tmp");
      try {
        Path created = Files.createFile(path);
        // Where the program is stopped amid its work.
        created.toFile().deleteOnExit();
        return created;
      } catch (FileAlreadyExistsException e) {
        if (attempt == 1000) {
          throw e;
        }
      }
    }
  }

  private ParquetException unwritable(IOException cause) {
    return new ParquetException(
        target,
        null,
        "a file that cannot be written (" + ParquetFile.reason(cause) + ")",
        "a place for a Parquet file",
        cause);
  }
}
