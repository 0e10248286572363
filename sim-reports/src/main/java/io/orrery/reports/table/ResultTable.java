package io.orrery.reports.table;

import io.orrery.parquet.Column;
import io.orrery.parquet.Schema;
import java.io.IOException;
import java.util.List;

/**
 * A table of results.
 *
 * @param name the file's name without its ending
 * @param columns with their meaning, in order
 * @param rows puts all rows into a sink
 */
public record ResultTable(String name, List<Documented> columns, Rows rows) {
  /** A column and what it means, unit included. */
  public record Documented(Column column, String meaning) {}

  /** Puts rows into a sink; the same rows every time. */
  public interface Rows {
    void into(RowSink sink) throws IOException;
  }

  public ResultTable {
    columns = List.copyOf(columns);
  }

  Schema schema() {
    return Schema.of(columns.stream().map(Documented::column).toList());
  }
}
