package io.orrery.reports.sweep;

import io.orrery.reports.console.Paragraph;
import io.orrery.reports.console.TextTable;
import java.util.ArrayList;
import java.util.List;

/** A sweep's results in lines of text. */
public final class SweepText {
  private static final int WIDTH = 100;
  private static final int MOST_ROWS = 40;

  private final String lead;
  private final List<SweepMetric> metrics;
  private final List<SweepGroup> groups;
  private final List<SweepGroup> front;

  SweepText(
      String lead, List<SweepMetric> metrics, List<SweepGroup> groups, List<SweepGroup> front) {
    this.lead = lead;
    this.metrics = metrics;
    this.groups = groups;
    this.front = front;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(Paragraph.wrapped(lead, WIDTH)).append("\n");
    if (groups.isEmpty()) {
      return out.toString();
    }
    out.append('\n');
    List<String> header = new ArrayList<>(List.of("point"));
    metrics.stream().filter(SweepText::isShown).forEach(metric -> header.add(metric.label()));
    header.add("<SLO");
    header.add("<front");
    TextTable table = new TextTable(header.toArray(new String[0]));
    for (SweepGroup group : groups.subList(0, Math.min(groups.size(), MOST_ROWS))) {
      List<String> row = new ArrayList<>(List.of(group.name()));
      metrics.stream()
          .filter(SweepText::isShown)
          .forEach(metric -> row.add(metric.text(group.get(metric))));
      row.add(group.keepsSlo() ? "kept" : "");
      row.add(front.contains(group) ? "*" : "");
      table.add(row.toArray(new String[0]));
    }
    out.append(table);
    if (groups.size() > MOST_ROWS) {
      out.append(groups.size() - MOST_ROWS).append(" more in the files of -o.\n");
    }
    out.append("\nfront: no other point has less TTFT p95 and more output tokens/s per GPU");
    out.append(metrics.contains(SweepMetric.COST) ? " at less cost.\n" : ".\n");
    return out.toString();
  }

  /** What fits a line. */
  private static boolean isShown(SweepMetric metric) {
    return metric != SweepMetric.KV && metric != SweepMetric.TPOT;
  }
}
