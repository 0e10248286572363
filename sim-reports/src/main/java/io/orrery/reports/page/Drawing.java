package io.orrery.reports.page;

import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.BoxChart.Box;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.chart.Ticks;
import java.util.List;

/**
 * Draws a chart as SVG for the HTML page: sizes in a view box, colours by classes that the page's
 * style sheet gives for light, dark and paper. Series are told apart by dashes and shades, too.
 */
final class Drawing {
  private static final int WIDTH = 720;
  private static final int LEFT = 64;
  private static final int RIGHT = 30;

  /** Characters of a label half of which fit into the right margin. */
  private static final int FITS_AT_THE_EDGE = 6;

  private static final int TOP = 12;
  private static final int BOTTOM = 44;
  private static final int PLOT = WIDTH - LEFT - RIGHT;

  /** Width of a letter, about, and the letters that a bar's name may have. */
  private static final double LETTER = 6.8;

  private static final int LONGEST_NAME = 40;

  private final Markup out;

  private Drawing(Markup out) {
    this.out = out;
  }

  static void draw(Chart chart, Markup out) {
    Drawing drawing = new Drawing(out);
    if (chart instanceof LineChart lines) {
      drawing.lines(lines);
    } else if (chart instanceof PointChart points) {
      drawing.points(points);
    } else if (chart instanceof BarChart bars) {
      drawing.bars(bars);
    } else if (chart instanceof BoxChart boxes) {
      drawing.boxes(boxes);
    } else if (chart instanceof HeatMap map) {
      drawing.map(map);
    }
  }

  private void begin(Chart chart, int height, String kind) {
    out.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + height,
        "role",
        "img",
        "class",
        "chart " + kind,
        "aria-labelledby",
        chart.id() + "-t " + chart.id() + "-d");
    out.element("title", chart.title(), "id", chart.id() + "-t");
    out.element("desc", chart.description(), "id", chart.id() + "-d");
  }

  static String number(double value) {
    long tenths = Math.round(10 * value);
    String whole = (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10;
    return tenths % 10 == 0 ? whole : whole + "." + Math.abs(tenths) % 10;
  }

  private void label(double x, double y, String anchor, String text) {
    out.element("text", text, "x", number(x), "y", number(y), "text-anchor", anchor);
  }

  private void line(double x1, double y1, double x2, double y2, String kind) {
    out.empty(
        "line",
        "x1",
        number(x1),
        "y1",
        number(y1),
        "x2",
        number(x2),
        "y2",
        number(y2),
        "class",
        kind);
  }

  /** Marks and labels of a vertical value axis over the plot's height. */
  private void valueAxis(Ticks ticks, int height) {
    for (double mark : ticks.marks()) {
      double y = TOP + height * (1 - ticks.position(mark));
      line(LEFT, y, WIDTH - RIGHT, y, "grid");
      label(LEFT - 6, y + 4, "end", ticks.label(mark));
    }
    out.element(
        "text",
        ticks.axis().title(),
        "x",
        number(-TOP - height / 2.0),
        "y",
        "11",
        "transform",
        "rotate(-90)",
        "text-anchor",
        "middle",
        "class",
        "axis");
  }

  private void horizontalAxis(Ticks ticks, int height) {
    double bottom = TOP + height;
    for (double mark : ticks.marks()) {
      double x = LEFT + PLOT * ticks.position(mark);
      line(x, TOP, x, bottom, "grid");
      String text = ticks.label(mark);
      if (text.length() > FITS_AT_THE_EDGE && x > WIDTH - RIGHT - 1) {
        label(WIDTH - 1, bottom + 16, "end", text);
      } else {
        label(x, bottom + 16, "middle", text);
      }
    }
    axisTitle(ticks.axis().title(), bottom);
  }

  private void axisTitle(String title, double bottom) {
    out.element(
        "text",
        title,
        "x",
        number(LEFT + PLOT / 2.0),
        "y",
        number(bottom + 36),
        "text-anchor",
        "middle",
        "class",
        "axis");
  }

  private void lines(LineChart chart) {
    int height = 260;
    Ticks x = chart.ticks(true);
    Ticks y = chart.ticks(false);
    begin(chart, TOP + height + BOTTOM, "lines");
    frame(x, y, height, chart.limit(), chart.limitName());
    for (int i = 0; i < chart.lines().size(); i++) {
      LineChart.Line line = chart.lines().get(i);
      String series = "s" + i % 8;
      LinePath path = new LinePath(line, x, y, new LinePath.Area(LEFT, TOP, PLOT, height));
      out.empty("path", "class", series + " line", "d", path.line(chart.steps()));
      String dots = path.dots();
      if (!dots.isEmpty()) {
        out.empty("path", "class", series + " dots", "d", dots);
      }
    }
    out.close("svg");
  }

  private void frame(Ticks x, Ticks y, int height, double limit, String limitName) {
    out.open("g", "class", "frame");
    valueAxis(y, height);
    horizontalAxis(x, height);
    out.close("g");
    if (!Double.isNaN(limit)) {
      double level = TOP + height * (1 - y.position(limit));
      line(LEFT, level, WIDTH - RIGHT, level, "limit");
      label(WIDTH - RIGHT - 4, level - 5, "end", limitName);
    }
  }

  private void points(PointChart chart) {
    int height = 260;
    Ticks x = chart.ticks(true);
    Ticks y = chart.ticks(false);
    begin(chart, TOP + height + BOTTOM, "points");
    frame(x, y, height, chart.limit(), chart.limitName());
    for (int i = 0; i < chart.series().size(); i++) {
      for (PointChart.Point point : chart.series().get(i).points()) {
        if (!Double.isNaN(point.x()) && !Double.isNaN(point.y())) {
          double left = LEFT + PLOT * x.position(point.x());
          double top = TOP + height * (1 - y.position(point.y()));
          out.open("path", "class", "s" + i % 8 + " mark", "d", mark(i, left, top));
          out.element("title", told(chart, point));
          out.close("path");
          if (point.ringed()) {
            out.empty("path", "class", "ring", "d", ring(left, top, 9));
          }
        }
      }
    }
    out.close("svg");
  }

  private static String told(PointChart chart, PointChart.Point point) {
    return point.name()
        + ": "
        + chart.x().label()
        + " "
        + Figures.text(point.x(), chart.x().unit())
        + ", "
        + chart.y().label()
        + " "
        + Figures.text(point.y(), chart.y().unit());
  }

  /** The outline of a series' mark: circle, square, triangle or diamond. */
  static String mark(int series, double x, double y) {
    String shape =
        switch (series % 4) {
          case 0 -> "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z";
          case 1 -> "m-4 -4h8v8h-8z";
          case 2 -> "m0 -5l5 9h-10z";
          default -> "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z";
        };
    return "M" + number(x) + " " + number(y) + shape;
  }

  /** A circle. */
  static String ring(double x, double y, int radius) {
    String half = "a" + radius + " " + radius + " 0 1 0 ";
    return "M"
        + number(x - radius)
        + " "
        + number(y)
        + half
        + 2 * radius
        + " 0"
        + half
        + -2 * radius
        + " 0z";
  }

  /** Room for the names of bars. */
  private static double namesWidth(BarChart chart) {
    int longest = chart.bars().stream().mapToInt(String::length).max().orElse(0);
    return LETTER * Math.max(12, Math.min(longest, LONGEST_NAME)) + 12;
  }

  private void bars(BarChart chart) {
    int bar = 22;
    int gap = 10;
    double names = namesWidth(chart);
    int height = chart.bars().size() * (bar + gap);
    Ticks ticks = chart.ticks();
    double plot = WIDTH - names - RIGHT - 42;
    begin(chart, TOP + height + BOTTOM, "bars");
    for (double mark : ticks.marks()) {
      double x = names + plot * ticks.position(mark);
      line(x, TOP, x, TOP + height, "grid");
      label(x, TOP + height + 16, "middle", ticks.label(mark));
    }
    axisTitle(chart.value().title(), TOP + height);
    for (int i = 0; i < chart.bars().size(); i++) {
      double top = TOP + i * (bar + gap) + gap / 2.0;
      label(names - 6, top + bar / 2.0 + 4, "end", shortened(chart.bars().get(i), LONGEST_NAME));
      double at = 0;
      for (int p = 0; p < chart.parts().size(); p++) {
        double value = chart.parts().get(p).values()[i];
        if (!(value > 0)) {
          continue;
        }
        double from = names + plot * ticks.position(at);
        double to = names + plot * ticks.position(at + value);
        out.open(
            "rect",
            "class",
            "p" + p % 10,
            "x",
            number(from),
            "y",
            number(top),
            "width",
            number(Math.max(0.5, to - from)),
            "height",
            number(bar));
        out.element(
            "title",
            chart.parts().get(p).name() + ": " + Figures.text(value, chart.value().unit()));
        out.close("rect");
        at += value;
      }
      label(
          names + plot * ticks.position(at) + 5,
          top + bar / 2.0 + 4,
          "start",
          Figures.text(chart.total(i), chart.value().unit()));
    }
    out.close("svg");
  }

  private void boxes(BoxChart chart) {
    int height = 240;
    Ticks ticks = chart.ticks();
    begin(chart, TOP + height + BOTTOM, "boxes");
    valueAxis(ticks, height);
    double slot = (double) PLOT / chart.categories().size();
    for (int c = 0; c < chart.categories().size(); c++) {
      label(LEFT + slot * (c + 0.5), TOP + height + 16, "middle", chart.categories().get(c));
      List<BoxChart.Group> groups = chart.groups();
      double width = Math.min(28, slot * 0.8 / groups.size());
      for (int g = 0; g < groups.size(); g++) {
        Box box = groups.get(g).boxes().get(c);
        if (box != null) {
          double middle = LEFT + slot * (c + 0.5) + (g - (groups.size() - 1) / 2.0) * width;
          box(box, middle, width * 0.8, ticks, height, g, chart.groups().get(g).name());
        }
      }
    }
    axisTitle(chart.categoryLabel(), TOP + height);
    out.close("svg");
  }

  private void box(
      Box box, double middle, double width, Ticks ticks, int height, int group, String name) {
    double[] y = new double[5];
    double[] values = {box.p5(), box.p25(), box.p50(), box.p75(), box.p95()};
    for (int i = 0; i < y.length; i++) {
      y[i] = TOP + height * (1 - ticks.position(values[i]));
    }
    out.open("g", "class", "s" + group % 8 + " box");
    line(middle, y[0], middle, y[4], "whisker");
    out.open(
        "rect",
        "x",
        number(middle - width / 2),
        "y",
        number(y[3]),
        "width",
        number(width),
        "height",
        number(Math.max(0.5, y[1] - y[3])));
    out.element(
        "title",
        name
            + ": median "
            + Figures.text(box.p50(), ticks.axis().unit())
            + ", p5 "
            + Figures.text(box.p5(), ticks.axis().unit())
            + ", p95 "
            + Figures.text(box.p95(), ticks.axis().unit())
            + ", "
            + box.count()
            + " samples");
    out.close("rect");
    line(middle - width / 2, y[2], middle + width / 2, y[2], "median");
    out.close("g");
  }

  private void map(HeatMap chart) {
    int row = Math.max(6, Math.min(18, 360 / Math.max(1, chart.rows().size())));
    int height = row * chart.rows().size();
    double end = chart.edges()[chart.edges().length - 1];
    Ticks ticks = Ticks.of(chart.x(), 0, end);
    double most = Math.max(chart.max(), 1e-9);
    begin(chart, TOP + height + BOTTOM, "map");
    for (int r = 0; r < chart.rows().size(); r++) {
      if (row >= 11 || r % 4 == 0) {
        label(
            LEFT - 6, TOP + row * r + Math.min(row, 11), "end", shortened(chart.rows().get(r), 10));
      }
      mapRow(chart, r, row, ticks, most);
    }
    for (double mark : ticks.marks()) {
      label(LEFT + PLOT * ticks.position(mark), TOP + height + 16, "middle", ticks.label(mark));
    }
    axisTitle(
        chart.x().title()
            + "; darkest: "
            + Figures.text(chart.max(), chart.value().unit())
            + " "
            + chart.value().label(),
        TOP + height);
    out.close("svg");
  }

  /** Neighbours of one shade become one rectangle. */
  private void mapRow(HeatMap chart, int r, int row, Ticks ticks, double most) {
    double[] cells = chart.cells()[r];
    int from = 0;
    while (from < cells.length) {
      int shade = shade(cells[from], most);
      int to = from + 1;
      while (to < cells.length && shade(cells[to], most) == shade) {
        to++;
      }
      if (shade > 0) {
        double left = LEFT + PLOT * ticks.position(chart.edges()[from]);
        double right = LEFT + PLOT * ticks.position(chart.edges()[to]);
        out.empty(
            "rect",
            "class",
            "heat",
            "opacity",
            number(shade / 10.0),
            "x",
            number(left),
            "y",
            number(TOP + row * r),
            "width",
            number(right - left),
            "height",
            number(row - 0.5));
      }
      from = to;
    }
  }

  private static int shade(double value, double most) {
    return Double.isNaN(value) ? 0 : (int) Math.round(10 * value / most);
  }

  private static String shortened(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length - 1) + "…";
  }
}
