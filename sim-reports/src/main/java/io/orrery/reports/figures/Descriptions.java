package io.orrery.reports.figures;

import io.orrery.reports.chart.Figures;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.KnownInput;
import io.orrery.reports.summary.Metric;
import io.orrery.reports.summary.Metrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Numbers of summaries in words and in tables with a column for each run. */
final class Descriptions {
  private Descriptions() {}

  /**
   * A line of a table: a number of the summary and how it is printed.
   *
   * @param judged whether the best and the worst are marked where runs are compared
   */
  record Line(String label, String key, DoubleFunction<String> format, boolean judged) {
    Line(String label, String key, DoubleFunction<String> format) {
      this(label, key, format, true);
    }

    /** The same line; that a number is high or low says nothing of how good a run is. */
    Line unjudged() {
      return new Line(label, key, format, false);
    }
  }

  static Line millis(String label, String key) {
    return new Line(label, key, HumanUnits::millis);
  }

  static Line count(String label, String key) {
    return new Line(label, key, HumanUnits::count);
  }

  static Line percent(String label, String key) {
    return new Line(label, key, HumanUnits::percent);
  }

  /**
   * The bound that no cache passes. Where some input has no identity, the label says what the bound
   * takes for granted of it, and a second line how much that is.
   */
  static List<Line> bound(String label, List<RunFigures> runs) {
    return runs.stream().allMatch(run -> KnownInput.isAll(run.summary()))
        ? List.of(percent(label, "hit_rate.bound"))
        : List.of(
            percent(label + ", if all input without identity is new", "hit_rate.bound"),
            percent("without identity, of all input", "hit_rate.unidentified_share"));
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

  /**
   * The table, with words after the best number of a line and after the worst, as far as they
   * differ in what is printed.
   */
  static Table marked(Table table, List<RunFigures> runs, List<Line> lines) {
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row : table.rows()) {
      Line line =
          lines.stream().filter(each -> each.label().equals(row.get(0))).findFirst().orElseThrow();
      rows.add(marked(row, line, runs));
    }
    return Table.of(table.id(), table.title(), table.header(), rows);
  }

  private static List<String> marked(List<String> row, Line line, List<RunFigures> runs) {
    Metric.Better better = Metrics.of(line.key()).better();
    List<String> cells = new ArrayList<>(row);
    if (!line.judged()
        || better == Metric.Better.NEITHER
        || row.stream().skip(1).distinct().count() < 2) {
      return cells;
    }
    int least = 0;
    int most = 0;
    for (int i = 0; i < runs.size(); i++) {
      least = value(runs, i, line, 1) < value(runs, least, line, 1) ? i : least;
      most = value(runs, i, line, -1) > value(runs, most, line, -1) ? i : most;
    }
    boolean high = better == Metric.Better.HIGHER;
    String best = row.get((high ? most : least) + 1);
    String worst = row.get((high ? least : most) + 1);
    cells.replaceAll(
        cell ->
            cell.equals(best) ? cell + " (best)" : cell.equals(worst) ? cell + " (worst)" : cell);
    cells.set(0, row.get(0));
    return cells;
  }

  /** A run's number; what is unknown is neither the least nor the most. */
  private static double value(List<RunFigures> runs, int at, Line line, int sign) {
    return runs.get(at).summary().get(line.key(), sign * Double.POSITIVE_INFINITY);
  }

  /** The runs by TTFT at p95; those without any come last. */
  static List<RunFigures> quickestFirst(List<RunFigures> runs) {
    return runs.stream()
        .sorted(
            Comparator.comparingDouble(
                run -> run.summary().get("ttft_ms.p95", Double.POSITIVE_INFINITY)))
        .toList();
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
