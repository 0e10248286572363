package io.orrery.reports.figures;

import io.orrery.reports.chart.Figures;
import io.orrery.reports.console.HumanUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Numbers of summaries in words and in tables with a column for each run. */
final class Descriptions {
  private Descriptions() {}

  /** A line of a table: a number of the summary and how it is printed. */
  record Line(String label, String key, DoubleFunction<String> format) {}

  static Line millis(String label, String key) {
    return new Line(label, key, HumanUnits::millis);
  }

  static Line count(String label, String key) {
    return new Line(label, key, HumanUnits::count);
  }

  static Line percent(String label, String key) {
    return new Line(label, key, HumanUnits::percent);
  }

  static Line amount(String label, String key) {
    return new Line(label, key, HumanUnits::amount);
  }

  static Line seconds(String label, String key) {
    return new Line(label, key, HumanUnits::seconds);
  }

  /** A table of numbers, the runs side by side; lines that no run knows are left out. */
  static Table table(String id, String title, List<RunFigures> runs, List<Line> lines) {
    List<String> header = new ArrayList<>();
    header.add("");
    runs.forEach(run -> header.add(run.name()));
    List<List<String>> rows = new ArrayList<>();
    for (Line line : lines) {
      if (runs.stream().noneMatch(run -> run.summary().get(line.key()).isPresent())) {
        continue;
      }
      List<String> row = new ArrayList<>();
      row.add(line.label());
      for (RunFigures run : runs) {
        OptionalDouble value = run.summary().get(line.key());
        row.add(value.isPresent() ? line.format().apply(value.getAsDouble()) : Figures.UNKNOWN);
      }
      rows.add(row);
    }
    return Table.of(id, title, header, rows);
  }

  /** Median and p95 of every run in a sentence. */
  static String quantiles(
      String what, List<RunFigures> runs, String key, DoubleFunction<String> format) {
    return what
        + ": "
        + runs.stream()
            .map(
                run ->
                    run.name()
                        + " "
                        + value(run, key + ".p50", format)
                        + " and "
                        + value(run, key + ".p95", format)
                        + " (n "
                        + value(run, key + ".count", HumanUnits::count)
                        + ")")
            .collect(Collectors.joining("; "))
        + ".";
  }

  static String value(RunFigures run, String key, DoubleFunction<String> format) {
    OptionalDouble value = run.summary().get(key);
    return value.isPresent() ? format.apply(value.getAsDouble()) : "unknown";
  }
}
