package io.orrery.reports.table;

import io.orrery.parquet.Column;
import io.orrery.parquet.ColumnType;
import java.util.ArrayList;
import java.util.List;

/** Collects the columns of a table. */
final class TableColumns {
  private final List<ResultTable.Documented> columns = new ArrayList<>();

  TableColumns text(String name, String meaning) {
    return add(Column.required(name, ColumnType.STRING), meaning);
  }

  TableColumns number(String name, String meaning) {
    return add(Column.required(name, ColumnType.LONG), meaning);
  }

  /** A number that may be missing. */
  TableColumns maybe(String name, String meaning) {
    return add(new Column(name, ColumnType.LONG, true), meaning);
  }

  /** A decimal number that may be missing. */
  TableColumns decimal(String name, String meaning) {
    return add(new Column(name, ColumnType.DOUBLE, true), meaning);
  }

  private TableColumns add(Column column, String meaning) {
    columns.add(new ResultTable.Documented(column, meaning));
    return this;
  }

  List<ResultTable.Documented> list() {
    return columns;
  }
}
