package io.orrery.reports.table;

import io.orrery.parquet.ColumnAppender;
import io.orrery.parquet.ParquetWriter;
import io.orrery.parquet.WriteOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes a table as a Parquet file. */
public final class ParquetSink implements RowSink {
  private final ParquetWriter writer;
  private final ColumnAppender[] columns;
  private int at;

  private ParquetSink(ParquetWriter writer, ResultTable table) {
    this.writer = writer;
    columns =
        table.columns().stream()
            .map(column -> writer.column(column.column().name()))
            .toArray(ColumnAppender[]::new);
  }

  /**
   * Writes a whole table.
   *
   * @param facts key-value metadata of the file
   */
  public static void write(
      ResultTable table, Path file, WriteOptions options, Map<String, String> facts)
      throws IOException {
    try (ParquetWriter writer = ParquetWriter.create(file, table.schema(), options)) {
      facts.forEach(writer::metadata);
      table.columns().forEach(c -> writer.metadata("column." + c.column().name(), c.meaning()));
      table.rows().into(new ParquetSink(writer, table));
      writer.commit();
    }
  }

  @Override
  public void text(String value) {
    columns[at++].add(value);
  }

  @Override
  public void number(long value) {
    columns[at++].add(value);
  }

  @Override
  public void decimal(double value) {
    columns[at++].add(value);
  }

  @Override
  public void nothing() {
    columns[at++].addNull();
  }

  @Override
  public void endRow() {
    writer.endRow();
    at = 0;
  }
}
