package io.orrery.cli;

import io.orrery.reports.chart.Chart;
import io.orrery.reports.figures.Report;
import io.orrery.reports.image.ChartImage;
import io.orrery.reports.page.HtmlPage;
import io.orrery.reports.page.MarkdownPage;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files that a report is read as. */
final class ReportFiles {
  /** The folder of images. */
  static final String CHARTS = "charts";

  private ReportFiles() {}

  /** The files, by name. */
  static Map<String, OutputFolder.Content> of(Report report) {
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    files.put("report.html", OutputFolder.Content.text(out -> out.write(HtmlPage.of(report))));
    files.put(
        "report.md", OutputFolder.Content.text(out -> out.write(MarkdownPage.of(report, CHARTS))));
    for (Chart chart : report.charts()) {
      ChartImage image = ChartImage.of(chart);
      String name = CHARTS + "/" + chart.id();
      files.put(name + ".svg", OutputFolder.Content.text(image::svg));
      files.put(
          name + ".png",
          file -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
              image.png(out);
            }
          });
    }
    return files;
  }
}
