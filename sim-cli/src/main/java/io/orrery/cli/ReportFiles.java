package io.orrery.cli;

import io.orrery.reports.figures.Report;
import io.orrery.reports.page.HtmlPage;
import io.orrery.reports.page.MarkdownPage;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files that a report is read as. */
final class ReportFiles {
  private ReportFiles() {}

  /** The files, by name. */
  static Map<String, OutputFolder.Content> of(Report report) {
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    files.put("report.html", OutputFolder.Content.text(out -> out.write(HtmlPage.of(report))));
    files.put(
        "report.md", OutputFolder.Content.text(out -> out.write(MarkdownPage.of(report, ""))));
    return files;
  }
}
