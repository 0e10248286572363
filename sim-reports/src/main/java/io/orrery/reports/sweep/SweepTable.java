package io.orrery.reports.sweep;

import io.orrery.parquet.Column;
import io.orrery.parquet.ColumnType;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.table.ResultTable;
import io.orrery.reports.table.ResultTable.Documented;
import io.orrery.reports.table.RowSink;
import io.orrery.scenarios.sweep.Factor;
import io.orrery.scenarios.sweep.SweepPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A sweep's points as a table: what was set, and every number that any of them has. */
public final class SweepTable {
  private SweepTable() {}

  /** The table. */
  public static ResultTable of(SweepResults results) throws IOException {
    Set<String> seen = new LinkedHashSet<>();
    results.forEach((point, result) -> seen.addAll(result.summary().values().keySet()));
    List<String> numbers = List.copyOf(seen);
    List<Documented> columns = new ArrayList<>();
    columns.add(new Documented(Column.required("point", ColumnType.LONG), "Its place, from 0."));
    columns.add(text("name", "Its name."));
    columns.add(text("group", "Its name without the seed."));
    columns.add(text("variant", "The scenario's variant."));
    for (Factor factor : results.sweep().factors()) {
      if (!factor.path().equals(Factor.VARIANT)) {
        columns.add(
            text("set." + factor.path(), "What was set, as text; empty where nothing was."));
      }
    }
    columns.add(
        new Documented(Column.nullable("failure", ColumnType.STRING), "Why there are no numbers."));
    for (String number : numbers) {
      String meaning = Metrics.isKnown(number) ? Metrics.of(number).meaning() : "";
      columns.add(new Documented(Column.nullable(number, ColumnType.DOUBLE), meaning));
    }
    return new ResultTable(
        "points", columns, sink -> results.forEach(new Rows(results, numbers, sink)));
  }

  private static Documented text(String name, String meaning) {
    return new Documented(Column.required(name, ColumnType.STRING), meaning);
  }

  private record Rows(SweepResults results, List<String> numbers, RowSink sink)
      implements SweepResults.Visitor {
    private void head(SweepPoint point) throws IOException {
      sink.number(point.index());
      sink.text(point.name());
      sink.text(point.group());
      sink.text(point.variant());
      List<Factor> factors = results.sweep().factors();
      for (int i = 0; i < factors.size(); i++) {
        if (!factors.get(i).path().equals(Factor.VARIANT)) {
          sink.text(point.values().get(i));
        }
      }
    }

    @Override
    public void finished(SweepPoint point, PointResult result) throws IOException {
      head(point);
      sink.nothing();
      for (String number : numbers) {
        sink.decimalOrNothing(result.summary().get(number, Double.NaN));
      }
      sink.endRow();
    }

    @Override
    public void failed(SweepPoint point, String reason) throws IOException {
      head(point);
      sink.text(reason);
      for (int i = 0; i < numbers.size(); i++) {
        sink.nothing();
      }
      sink.endRow();
    }
  }
}
