package io.orrery.reports.page;

import io.orrery.reports.JsonText;
import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.chart.Ticks;
import io.orrery.reports.figures.ChartTable;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The report as one HTML page: no other file, no network, complete without scripts. Scripts add
 * zooming, reading of values and hiding of variants.
 */
public final class HtmlPage {
  private static final MathContext DIGITS = new MathContext(5);

  /** A column with a longer cell is text: its cells may have several lines. */
  private static final int LONG_CELL = 30;

  private final Report report;

  /** What links lead to. */
  private final Set<String> targets = new HashSet<>();

  private final Markup out = new Markup();

  private HtmlPage(Report report) {
    this.report = report;
    for (Section section : report.sections()) {
      for (Table table : section.tables()) {
        table.links().forEach(link -> targets.add(link.target()));
      }
    }
  }

  /** The page. */
  public static String of(Report report) {
    HtmlPage page = new HtmlPage(report);
    page.write();
    return page.out.toString();
  }

  private void write() {
    out.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.raw(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
            + " 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n");
    out.element("title", report.title() + " · Orrery").line();
    out.raw("<style>\n").raw(resource("report.css")).raw("</style>\n</head>\n<body>\n");
    out.raw("<a class=\"skip\" href=\"#content\">Skip to content</a>\n");
    header();
    out.open("main", "id", "content").line();
    overview();
    report.sections().forEach(this::section);
    closing();
    out.close("main").line();
    data();
    out.raw("<script>\n").raw(resource("report.js")).raw("</script>\n</body>\n</html>\n");
  }

  private void header() {
    out.open("header").element("h1", report.title());
    out.element("p", report.setting(), "class", "setting");
    out.element("p", report.lead(), "class", "lead").line();
    if (!report.conclusions().isEmpty()) {
      out.open("ul", "class", "conclusions");
      report.conclusions().forEach(this::conclusion);
      out.close("ul");
    }
    out.close("header").line();
    out.open("nav", "aria-label", "Sections").open("ul");
    for (Section section : report.sections()) {
      out.open("li").element("a", section.title(), "href", "#" + section.id()).close("li");
    }
    if (!report.assumptions().isEmpty()) {
      out.open("li").element("a", "Assumptions", "href", "#assumptions").close("li");
    }
    out.open("li").element("a", "Provenance", "href", "#provenance").close("li");
    out.close("ul");
    if (report.variants().size() > 1) {
      out.open("fieldset", "class", "variants").element("legend", "Variants shown");
      for (int i = 0; i < report.variants().size(); i++) {
        out.open("label", "class", "k" + i % 8);
        out.raw("<input type=\"checkbox\" checked data-variant=\"" + i + "\">");
        swatch(i);
        out.text(report.variants().get(i)).close("label");
      }
      out.close("fieldset");
    }
    out.close("nav").line();
  }

  /** The words up to a colon say what the sentence is about. */
  private void conclusion(String text) {
    int about = text.indexOf(": ");
    out.open("li");
    if (about > 0) {
      out.element("strong", text.substring(0, about + 1)).text(text.substring(about + 1));
    } else {
      out.text(text);
    }
    out.close("li").line();
  }

  private void swatch(int i) {
    out.raw("<svg class=\"swatch\" viewBox=\"0 0 28 10\" aria-hidden=\"true\">");
    out.raw("<path class=\"s" + i % 8 + " line\" d=\"M1 5L27 5\"/></svg>");
  }

  private void overview() {
    out.open("section", "id", "overview").element("h2", report.overview().title());
    table(report.overview());
    out.close("section").line();
  }

  private void section(Section section) {
    out.open("section", "id", section.id()).element("h2", section.title());
    out.element("p", section.lead(), "class", "lead").line();
    for (Chart chart : section.charts()) {
      figure(chart);
    }
    for (Table table : section.tables()) {
      if (table.folded()) {
        out.open("details", "id", table.id()).element("summary", table.title());
        table(table);
        out.close("details").line();
      } else {
        out.element("h3", table.title(), "id", table.id());
        table(table);
      }
    }
    out.close("section").line();
  }

  private void figure(Chart chart) {
    out.open("figure", "id", chart.id(), "data-chart", chart.id());
    out.element("figcaption", chart.title()).line();
    Drawing.draw(chart, out);
    legend(chart);
    out.element("p", chart.description(), "class", "note");
    out.open("details").element("summary", "Numbers");
    table(ChartTable.of(chart));
    out.close("details").close("figure").line();
  }

  private void legend(Chart chart) {
    out.open("ul", "class", "legend");
    if (chart instanceof BarChart bars) {
      for (int i = 0; i < bars.parts().size(); i++) {
        out.open("li").raw("<svg class=\"swatch\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">");
        out.raw("<rect class=\"p" + i % 10 + "\" width=\"12\" height=\"12\"/></svg>");
        out.text(bars.parts().get(i).name()).close("li");
      }
    } else if (chart instanceof LineChart lines && lines.lines().size() > 1) {
      names(lines.lines().stream().map(LineChart.Line::name).toList());
    } else if (chart instanceof PointChart points) {
      marks(points);
    } else if (chart instanceof BoxChart boxes && boxes.groups().size() > 1) {
      names(boxes.groups().stream().map(BoxChart.Group::name).toList());
    }
    out.close("ul").line();
  }

  private void marks(PointChart chart) {
    for (int i = 0; i < chart.series().size(); i++) {
      mark(MarkPath.of(i, 6, 6), "s" + i % 8 + " mark", chart.series().get(i).name());
    }
    if (!chart.ringName().isEmpty()) {
      mark(MarkPath.ring(6, 6, 5), "ring", chart.ringName());
    }
  }

  private void mark(String path, String kind, String name) {
    out.open("li").raw("<svg class=\"swatch\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">");
    out.raw("<path class=\"" + kind + "\" d=\"" + path + "\"/></svg>");
    out.text(name).close("li");
  }

  private void names(List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      out.open("li", "class", "k" + i % 8);
      swatch(i);
      out.text(names.get(i)).close("li");
    }
  }

  private void table(Table table) {
    out.open(
        "div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", table.title());
    out.open("table").open("thead").open("tr");
    for (int i = 0; i < table.header().size(); i++) {
      if (isWords(table, i)) {
        out.element("th", table.header().get(i), "scope", "col", "class", "words");
      } else {
        out.element("th", table.header().get(i), "scope", "col");
      }
    }
    out.close("tr").close("thead").line().open("tbody");
    for (int i = 0; i < table.rows().size(); i++) {
      row(table, i);
    }
    out.close("tbody").close("table").close("div").line();
  }

  private void row(Table table, int number) {
    String id = Table.rowId(table.id(), number);
    if (targets.contains(id)) {
      out.open("tr", "id", id);
    } else {
      out.open("tr");
    }
    List<String> cells = table.rows().get(number);
    for (int i = 0; i < cells.size(); i++) {
      String tag = i == 0 ? "th" : "td";
      if (i == 0) {
        out.open(tag, "scope", "row");
      } else if (isWords(table, i)) {
        out.open(tag, "class", "words");
      } else {
        out.open(tag);
      }
      String target = target(table, number, i);
      if (target == null) {
        out.text(cells.get(i));
      } else {
        out.element("a", cells.get(i), "href", "#" + target);
      }
      out.close(tag);
    }
    out.close("tr").line();
  }

  /** Whether a column holds texts, not numbers. */
  private static boolean isWords(Table table, int column) {
    return column > 0
        && table.rows().stream().anyMatch(row -> row.get(column).length() > LONG_CELL);
  }

  private static @Nullable String target(Table table, int row, int column) {
    for (Table.Link link : table.links()) {
      if (link.row() == row && link.column() == column) {
        return link.target();
      }
    }
    return null;
  }

  private void closing() {
    if (!report.assumptions().isEmpty()) {
      out.open("section", "id", "assumptions").element("h2", "Assumptions").open("ul");
      report.assumptions().forEach(text -> out.element("li", text));
      out.close("ul").close("section").line();
    }
    out.open("section", "id", "provenance").element("h2", "Provenance").open("dl");
    for (Report.Fact fact : report.provenance()) {
      out.element("dt", fact.name()).element("dd", fact.value());
    }
    out.close("dl").close("section").line();
  }

  /** The points of lines, for the script. */
  private void data() {
    Map<String, Object> charts = new LinkedHashMap<>();
    for (Chart chart : report.charts()) {
      if (chart instanceof LineChart lines) {
        charts.put(chart.id(), data(lines));
      }
    }
    String json = embedded(JsonText.of(charts));
    out.raw("<script type=\"application/json\" id=\"data\">").raw(json).raw("</script>\n");
  }

  /** JSON that can stand inside a script element, on one line. */
  private static String embedded(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replaceAll("\n *", "");
  }

  private static Map<String, Object> data(LineChart chart) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("x", axis(chart.ticks(true)));
    tree.put("y", axis(chart.ticks(false)));
    tree.put("steps", chart.steps());
    List<Object> lines = new ArrayList<>();
    for (LineChart.Line line : chart.lines()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", line.name());
      entry.put("x", numbers(line.x()));
      entry.put("y", numbers(line.y()));
      lines.add(entry);
    }
    tree.put("lines", lines);
    return tree;
  }

  private static Map<String, Object> axis(Ticks ticks) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("label", ticks.axis().label());
    tree.put("unit", ticks.axis().unit().name());
    tree.put("log", ticks.axis().scale() == Axis.Scale.LOG);
    tree.put("low", new BigDecimal(ticks.low(), DIGITS));
    tree.put("high", new BigDecimal(ticks.high(), DIGITS));
    return tree;
  }

  private static List<@Nullable Object> numbers(double[] values) {
    List<@Nullable Object> numbers = new ArrayList<>();
    for (double value : values) {
      numbers.add(Double.isNaN(value) ? null : new BigDecimal(value, DIGITS));
    }
    return numbers;
  }

  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program's own " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
