package io.orrery.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.jspecify.annotations.Nullable;

/**
 * An open Parquet file. Opening reads the footer only; {@link #read} and {@link #readRowGroup} read
 * and decode the columns they are asked for, and no others. Not for use by several threads at once.
 */
public final class ParquetReader implements Closeable {
  private final ParquetFile file;
  private final List<LeafColumn> leaves;
  private final Schema schema;
  private final List<RowGroup> rowGroups;
  private final SortedMap<String, String> metadata;
  private final String createdBy;
  private final long rowCount;

  private ParquetReader(ParquetFile file) {
    this.file = file;
    FileMetaData footer = file.footer();
    this.leaves = SchemaReader.leaves(file.path(), footer.getSchema());
    this.schema = schemaOf(leaves);
    this.rowGroups = footer.getRow_groups();
    this.createdBy = footer.isSetCreated_by() ? footer.getCreated_by() : "";
    TreeMap<String, String> pairs = new TreeMap<>();
    if (footer.isSetKey_value_metadata()) {
      for (KeyValue pair : footer.getKey_value_metadata()) {
        pairs.put(pair.getKey(), pair.isSetValue() ? pair.getValue() : "");
      }
    }
    this.metadata = Collections.unmodifiableSortedMap(pairs);
    this.rowCount = checkedRows(footer);
  }

  /**
   * Opens a file.
   *
   * @throws ParquetException if it cannot be read, or is not an intact Parquet file
   */
  public static ParquetReader open(Path path) {
    ParquetFile file = ParquetFile.open(path);
    try {
      return new ParquetReader(file);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Reads a whole file, or some of its columns.
   *
   * @param columns names; none for all columns
   * @throws ParquetException as {@link #open} and {@link #read}
   */
  public static ParquetTable readTable(Path path, String... columns) {
    try (ParquetReader reader = open(path)) {
      return reader.read(columns);
    }
  }

  public Schema schema() {
    return schema;
  }

  public long rowCount() {
    return rowCount;
  }

  public int rowGroupCount() {
    return rowGroups.size();
  }

  /** Rows in a row group, counted from 0. */
  public int rowCount(int rowGroup) {
    return (int) rowGroups.get(rowGroup).getNum_rows();
  }

  /** Key-value metadata, by key. */
  public SortedMap<String, String> metadata() {
    return metadata;
  }

  /** The program that wrote the file, as it calls itself; empty if it does not say. */
  public String createdBy() {
    return createdBy;
  }

  /**
   * Reads all rows of some columns.
   *
   * @param columns names; none for all columns
   * @throws ParquetException if a column is not there or of a type that cannot be read, if data are
   *     damaged or compressed in a way that is not supported, or if there are more rows than fit
   */
  public ParquetTable read(String... columns) {
    List<LeafColumn> wanted = select(columns);
    return table(wanted, 0, rowGroups.size());
  }

  /**
   * Reads the rows of one row group, for files that are larger than memory.
   *
   * @param rowGroup from 0 to {@link #rowGroupCount()} - 1
   * @param columns names; none for all columns
   * @throws ParquetException as {@link #read}
   */
  public ParquetTable readRowGroup(int rowGroup, String... columns) {
    List<LeafColumn> wanted = select(columns);
    return table(wanted, rowGroup, rowGroup + 1);
  }

  @Override
  public void close() {
    file.close();
  }

  private ParquetTable table(List<LeafColumn> wanted, int from, int to) {
    checkMemory(wanted, from, to);
    List<ColumnData> columns = new ArrayList<>();
    int rows = 0;
    for (int group = from; group < to; group++) {
      rows += rowCount(group);
    }
    for (LeafColumn leaf : wanted) {
      ColumnBuilder builder = new ColumnBuilder(leaf);
      for (int group = from; group < to; group++) {
        readChunk(leaf, group, builder);
      }
      columns.add(builder.build());
    }
    return new ParquetTable(file.path(), rows, columns, metadata);
  }

  private void readChunk(LeafColumn leaf, int group, ColumnBuilder builder) {
    RowGroup rowGroup = rowGroups.get(group);
    String name = leaf.column().name();
    ColumnMetaData chunk = chunk(leaf, group);
    Compression compression = Compression.of(chunk.getCodec());
    if (compression == null) {
      throw new ParquetException(
          file.path(),
          name,
          "pages compressed with " + chunk.getCodec(),
          "one of UNCOMPRESSED, SNAPPY, GZIP, ZSTD");
    }
    if (chunk.getType() != leaf.stored()) {
      throw damaged(name, "pages of " + chunk.getType() + " for " + leaf.declared(), null);
    }
    long start = chunk.getData_page_offset();
    if (chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0) {
      start = Math.min(start, chunk.getDictionary_page_offset());
    }
    long length = chunk.getTotal_compressed_size();
    if (length < 0 || length > Integer.MAX_VALUE - 8) {
      throw damaged(name, "a column chunk of " + length + " bytes", null);
    }
    byte[] bytes = file.read(start, (int) length);
    int before = builder.rows();
    try {
      new ChunkReader(leaf, compression, bytes, builder).read(chunk.getNum_values());
    } catch (IOException | RuntimeException e) {
      String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw damaged(name, "damaged data in row group " + group + " (" + detail + ")", e);
    }
    if (builder.rows() - before != rowGroup.getNum_rows()) {
      throw damaged(
          name,
          (builder.rows() - before)
              + " rows in row group "
              + group
              + ", which has "
              + rowGroup.getNum_rows(),
          null);
    }
  }

  private ColumnMetaData chunk(LeafColumn leaf, int group) {
    String name = leaf.column().name();
    ColumnChunk chunk = rowGroups.get(group).getColumns().get(leaf.position());
    if (chunk.isSetFile_path()) {
      throw damaged(name, "a column in another file, " + chunk.getFile_path(), null);
    }
    if (!chunk.isSetMeta_data()) {
      throw new ParquetException(
          file.path(), name, "an encrypted column", "one that is not encrypted");
    }
    return chunk.getMeta_data();
  }

  private List<LeafColumn> select(String... names) {
    if (names.length == 0) {
      for (LeafColumn leaf : leaves) {
        checkReadable(leaf);
      }
      return leaves;
    }
    Set<LeafColumn> wanted = new LinkedHashSet<>();
    for (String name : names) {
      int position = schema.position(name);
      if (position < 0) {
        throw new ParquetException(file.path(), name, "no such column", schema.alternatives(name));
      }
      checkReadable(leaves.get(position));
      wanted.add(leaves.get(position));
    }
    return List.copyOf(wanted);
  }

  private void checkReadable(LeafColumn leaf) {
    if (leaf.column().type() == ColumnType.OTHER) {
      throw new ParquetException(
          file.path(),
          leaf.column().name(),
          "a column of type " + leaf.declared(),
          "boolean, int, long, float, double, string, or a list of int or long");
    }
  }

  /** Large tables end in a message, not in a full heap. */
  private void checkMemory(List<LeafColumn> wanted, int from, int to) {
    double bytes = 0;
    long rows = 0;
    for (int group = from; group < to; group++) {
      rows += rowCount(group);
      for (LeafColumn leaf : wanted) {
        bytes += (double) Math.max(0, chunk(leaf, group).getNum_values()) * width(leaf);
      }
    }
    long most = Runtime.getRuntime().maxMemory();
    if (rows > Integer.MAX_VALUE - 8 || bytes > most) {
      throw new ParquetException(
          file.path(),
          null,
          rows + " rows, " + Math.round(bytes / (1 << 20)) + " MiB",
          "at most "
              + (Integer.MAX_VALUE - 8)
              + " rows and the "
              + (most >> 20)
              + " MiB that Java may use, or row groups read one at a time");
    }
  }

  private static int width(LeafColumn leaf) {
    return switch (leaf.column().type()) {
      case BOOLEAN -> 1;
      case INT, INT_LIST, STRING -> Integer.BYTES;
      default -> Long.BYTES;
    };
  }

  private long checkedRows(FileMetaData footer) {
    long rows = 0;
    for (RowGroup group : rowGroups) {
      if (group.getNum_rows() < 0 || group.getNum_rows() > Integer.MAX_VALUE - 8) {
        throw damaged(null, "a row group of " + group.getNum_rows() + " rows", null);
      }
      if (group.getColumnsSize() != leaves.size()) {
        throw damaged(
            null,
            group.getColumnsSize() + " columns, and " + leaves.size() + " in the schema",
            null);
      }
      rows += group.getNum_rows();
    }
    if (rows != footer.getNum_rows()) {
      throw damaged(null, footer.getNum_rows() + " rows, and " + rows + " in row groups", null);
    }
    return rows;
  }

  private Schema schemaOf(List<LeafColumn> leaves) {
    List<Column> columns = new ArrayList<>();
    for (LeafColumn leaf : leaves) {
      columns.add(leaf.column());
    }
    try {
      return Schema.of(columns);
    } catch (IllegalArgumentException e) {
      throw damaged(null, e.getMessage(), e);
    }
  }

  private ParquetException damaged(
      @Nullable String column, @Nullable String found, @Nullable Throwable cause) {
    return new ParquetException(
        file.path(), column, String.valueOf(found), "an intact Parquet file", cause);
  }
}
