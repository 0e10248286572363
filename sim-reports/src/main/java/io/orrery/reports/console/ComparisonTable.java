package io.orrery.reports.console;

import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Metric;
import io.orrery.reports.summary.Summary;
import io.orrery.traces.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The runs side by side. The best number of a line is followed by {@code +} and the worst by {@code
 * -}, as far as they differ in what is printed; colour only repeats that. Runs that do not fit
 * beside one another in {@value #WIDTH} columns go into further tables.
 */
public final class ComparisonTable {
  /** Columns of the widest line. */
  public static final int WIDTH = 100;

  private static final int LABEL = 30;
  private static final int LEAST_COLUMN = 14;
  private static final int MOST_COLUMN = 23;
  private static final String GREEN = "\u001b[32m";
  private static final String RED = "\u001b[31m";
  private static final String BOLD = "\u001b[1m";
  private static final String RESET = "\u001b[0m";

  private final List<String> names;
  private final List<Summary> summaries;
  private final boolean colour;
  private final StringBuilder out = new StringBuilder();

  private ComparisonTable(List<RunReport> runs, boolean colour) {
    names = runs.stream().map(run -> PrintableText.of(run.name())).toList();
    this.summaries = runs.stream().map(RunReport::summary).toList();
    this.colour = colour;
  }

  /** The table, ended by a new line. */
  public static String of(List<RunReport> runs, boolean colour) {
    ComparisonTable table = new ComparisonTable(runs, colour);
    int widest = table.names.stream().mapToInt(String::length).max().orElse(0) + 4;
    int column = Math.max(LEAST_COLUMN, Math.min(MOST_COLUMN, widest));
    int perTable = Math.max(1, (WIDTH - LABEL) / column);
    for (int from = 0; from < runs.size(); from += perTable) {
      if (from > 0) {
        table.out.append('\n');
      }
      table.write(from, Math.min(from + perTable, runs.size()), column);
    }
    if (runs.size() > 1) {
      table.out.append("\n+ best, - worst of the variants; no sign where they print alike.\n");
    }
    return table.out.toString();
  }

  private void write(int from, int to, int column) {
    out.append(" ".repeat(LABEL));
    for (int i = from; i < to; i++) {
      String name = shortened(names.get(i), column - 3);
      out.append(padded(name, column - 2)).append("  ");
    }
    endLine();
    for (TableSection section : TableSection.ALL) {
      List<TableRow> rows = section.shown(summaries);
      if (rows.isEmpty()) {
        continue;
      }
      out.append(colour ? BOLD + section.title() + RESET : section.title()).append('\n');
      for (TableRow row : rows) {
        writeRow(row, from, to, column);
      }
    }
  }

  private void writeRow(TableRow row, int from, int to, int column) {
    List<Optional<String>> texts = new ArrayList<>();
    for (Summary summary : summaries) {
      OptionalDouble value = row.value().apply(summary);
      texts.add(
          value.isPresent()
              ? Optional.of(row.format().apply(value.getAsDouble()))
              : Optional.empty());
    }
    String best = extreme(row, texts, row.better() == Metric.Better.HIGHER);
    String worst = extreme(row, texts, row.better() == Metric.Better.LOWER);
    boolean marked = row.better() != Metric.Better.NEITHER && !best.equals(worst);
    out.append("  ").append(row.label()).append(" ".repeat(LABEL - 2 - row.label().length()));
    for (int i = from; i < to; i++) {
      String text = texts.get(i).orElse("");
      String sign = " ";
      String tint = "";
      if (marked && text.equals(best)) {
        sign = "+";
        tint = GREEN;
      } else if (marked && text.equals(worst)) {
        sign = "-";
        tint = RED;
      }
      boolean tinted = colour && !tint.isEmpty();
      out.append(tinted ? tint : "").append(padded(text, column - 2)).append(' ').append(sign);
      out.append(tinted ? RESET : "");
    }
    endLine();
  }

  /** The text of the largest or smallest number of a line. */
  private String extreme(TableRow row, List<Optional<String>> texts, boolean largest) {
    double extreme = Double.NaN;
    String text = "";
    for (int i = 0; i < summaries.size(); i++) {
      OptionalDouble value = row.value().apply(summaries.get(i));
      if (value.isPresent()
          && !(largest ? value.getAsDouble() <= extreme : value.getAsDouble() >= extreme)) {
        extreme = value.getAsDouble();
        text = texts.get(i).orElse("");
      }
    }
    return text;
  }

  private void endLine() {
    while (out.charAt(out.length() - 1) == ' ') {
      out.setLength(out.length() - 1);
    }
    out.append('\n');
  }

  private static String padded(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  private static String shortened(String name, int width) {
    return name.length() <= width ? name : name.substring(0, width - 1) + "…";
  }
}
