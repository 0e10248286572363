package io.orrery.cli;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import io.orrery.reports.page.HtmlPage;
import io.orrery.reports.page.MarkdownPage;
import io.orrery.reports.page.ReportJson;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes a report of one chart of each kind and throws it away, beside the simulation: what a first
 * report costs once (classes of AWT, JFreeChart and Batik, fonts) is then paid for when the real
 * one is due. Nothing depends on it; what fails here fails again, and is told, there.
 */
final class ReportRehearsal {
  private ReportRehearsal() {}

  /**
   * Begins, and does not wait.
   *
   * @param images what will be drawn
   */
  static void begin(ReportFiles.Images images) {
    CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> rehearse(images));
  }

  private static void rehearse(ReportFiles.Images images) {
    Report report = report();
    ReportJson.of(report);
    HtmlPage.of(report);
    MarkdownPage.of(report, "");
    ReportFiles.of(report, images);
  }

  private static Report report() {
    Table table = Table.of("table", "Table", List.of("", "run"), List.of(List.of("TTFT", "1 s")));
    Section section = new Section("section", "Section", "Lead.", charts(), List.of(table));
    return new Report(
        "title",
        "Setting.",
        "Lead.",
        List.of(),
        List.of("run"),
        table,
        List.of(section),
        List.of(),
        List.of());
  }

  private static List<Chart> charts() {
    Axis across = Axis.linear("time", Axis.Unit.SECONDS);
    Axis up = Axis.log("TTFT", Axis.Unit.MILLIS);
    double[] numbers = {1, 20};
    return List.of(
        new LineChart(
            "lines",
            "Lines",
            "Lines.",
            across,
            up,
            List.of(new LineChart.Line("run", numbers, numbers)),
            true,
            10,
            "limit"),
        new BarChart(
            "bars",
            "Bars",
            "Bars.",
            across,
            List.of("one", "two"),
            List.of(new BarChart.Part("part", numbers), new BarChart.Part("other", numbers))),
        new BoxChart(
            "boxes",
            "Boxes",
            "Boxes.",
            "turn",
            up,
            List.of("1"),
            List.of(new BoxChart.Group("run", List.of(new BoxChart.Box(1, 2, 3, 4, 5, 6))))),
        new HeatMap(
            "map",
            "Map",
            "Map.",
            across,
            across,
            List.of("worker 0"),
            new double[] {0, 1, 2},
            new double[][] {numbers},
            0));
  }
}
