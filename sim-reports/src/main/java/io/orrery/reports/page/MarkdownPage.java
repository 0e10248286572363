package io.orrery.reports.page;

import io.orrery.reports.chart.Chart;
import io.orrery.reports.figures.ChartTable;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import java.util.List;

/**
 * The report as Markdown: sentences and tables, with pictures where image files stand beside it.
 */
public final class MarkdownPage {
  private final StringBuilder out = new StringBuilder();

  private MarkdownPage() {}

  /**
   * The page.
   *
   * @param images folder of the charts' SVG files, relative to the page; empty for none
   */
  public static String of(Report report, String images) {
    MarkdownPage page = new MarkdownPage();
    page.write(report, images);
    return page.out.toString();
  }

  private void write(Report report, String images) {
    out.append("# ").append(escaped(report.title())).append("\n\n");
    out.append(escaped(report.setting())).append("\n\n");
    out.append("**").append(escaped(report.lead())).append("**\n\n");
    if (!report.conclusions().isEmpty()) {
      report.conclusions().forEach(text -> out.append("- ").append(escaped(text)).append('\n'));
      out.append('\n');
    }
    table(report.overview());
    for (Section section : report.sections()) {
      section(section, images);
    }
    if (!report.assumptions().isEmpty()) {
      out.append("## Assumptions\n\n");
      report.assumptions().forEach(text -> out.append("- ").append(escaped(text)).append('\n'));
      out.append('\n');
    }
    out.append("## Provenance\n\n");
    for (Report.Fact fact : report.provenance()) {
      out.append("- ").append(escaped(fact.name())).append(": ");
      out.append(escaped(fact.value())).append('\n');
    }
  }

  private void section(Section section, String images) {
    out.append("## ").append(escaped(section.title())).append("\n\n");
    out.append(escaped(section.lead())).append("\n\n");
    for (Chart chart : section.charts()) {
      out.append("### ").append(escaped(chart.title())).append("\n\n");
      if (!images.isEmpty()) {
        out.append("![").append(escaped(chart.description())).append("](");
        out.append(images).append('/').append(chart.id()).append(".svg)\n\n");
      }
      table(ChartTable.of(chart));
    }
    for (Table table : section.tables()) {
      out.append("### ").append(escaped(table.title())).append("\n\n");
      table(table);
    }
  }

  private void table(Table table) {
    row(table.header());
    out.append('|');
    for (int i = 0; i < table.header().size(); i++) {
      out.append(i == 0 ? "---|" : "---:|");
    }
    out.append('\n');
    table.rows().forEach(this::row);
    out.append('\n');
  }

  private void row(List<String> cells) {
    out.append('|');
    cells.forEach(cell -> out.append(' ').append(escaped(cell)).append(" |"));
    out.append('\n');
  }

  /** Text that stays text: nothing in it is markup, a link or a new line. */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\', '`', '*', '[', ']', '|', '#', '~', '!' -> safe.append('\\').append(c);
        case '_' -> safe.append(insideWord(text, i) ? "_" : "\\_");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '&' -> safe.append("&amp;");
        default -> safe.append(c < ' ' ? ' ' : c);
      }
    }
    return safe.toString();
  }

  private static boolean insideWord(String text, int i) {
    return i > 0
        && i + 1 < text.length()
        && Character.isLetterOrDigit(text.charAt(i - 1))
        && Character.isLetterOrDigit(text.charAt(i + 1));
  }
}
