package io.orrery.reports.page;

import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Ticks;

/**
 * The area of a chart in which values are drawn, and what stands around it: axes, grid and labels.
 * Places are in units of the SVG's view box.
 */
final class Plot {
  static final int WIDTH = 720;
  static final int TOP = 12;
  static final int RIGHT = 30;
  private static final int LEFT = 64;
  private static final int BOTTOM = 44;
  private static final int SERIES_STYLES = 8;

  /** Characters of a label half of which fit into the right margin. */
  private static final int FITS_AT_THE_EDGE = 6;

  private final Markup out;
  private final double left;
  private final double width;
  private final int height;

  /** An area of that height between the usual margins. */
  Plot(Markup out, int height) {
    this(out, height, LEFT, WIDTH - LEFT - RIGHT);
  }

  Plot(Markup out, int height, double left, double width) {
    this.out = out;
    this.left = left;
    this.width = width;
    this.height = height;
  }

  double left() {
    return left;
  }

  double width() {
    return width;
  }

  double bottom() {
    return TOP + height;
  }

  /** Where a value stands on a horizontal axis. */
  double x(Ticks ticks, double value) {
    return left + width * ticks.position(value);
  }

  /** Where a value stands on a vertical axis. */
  double y(Ticks ticks, double value) {
    return TOP + height * (1 - ticks.position(value));
  }

  /** The class of the style that tells a series from the others. */
  static String series(int number) {
    return "s" + number % SERIES_STYLES;
  }

  /** A number with at most one digit behind the point. */
  static String number(double value) {
    long tenths = Math.round(10 * value);
    String whole = (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10;
    return tenths % 10 == 0 ? whole : whole + "." + Math.abs(tenths) % 10;
  }

  /** A text that fits into so many characters. */
  static String shortened(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length - 1) + "…";
  }

  void begin(Chart chart, String kind) {
    out.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + (TOP + height + BOTTOM),
        "role",
        "img",
        "class",
        "chart " + kind,
        "aria-labelledby",
        chart.id() + "-t " + chart.id() + "-d");
    out.element("title", chart.title(), "id", chart.id() + "-t");
    out.element("desc", chart.description(), "id", chart.id() + "-d");
  }

  void end() {
    out.close("svg");
  }

  void label(double x, double y, String anchor, String text) {
    out.element("text", text, "x", number(x), "y", number(y), "text-anchor", anchor);
  }

  void line(double x1, double y1, double x2, double y2, String kind) {
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

  /** Both axes, and the level of a limit unless that is NaN. */
  void frame(Ticks x, Ticks y, double limit, String limitName) {
    out.open("g", "class", "frame");
    verticalAxis(y);
    horizontalAxis(x);
    out.close("g");
    if (!Double.isNaN(limit)) {
      double level = y(y, limit);
      line(left, level, left + width, level, "limit");
      label(left + width - 4, level - 5, "end", limitName);
    }
  }

  void verticalAxis(Ticks ticks) {
    for (double mark : ticks.marks()) {
      double y = y(ticks, mark);
      line(left, y, left + width, y, "grid");
      label(left - 6, y + 4, "end", ticks.label(mark));
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

  private void horizontalAxis(Ticks ticks) {
    for (double mark : ticks.marks()) {
      double x = x(ticks, mark);
      line(x, TOP, x, bottom(), "grid");
      String text = ticks.label(mark);
      if (text.length() > FITS_AT_THE_EDGE && x > left + width - 1) {
        label(WIDTH - 1, bottom() + 16, "end", text);
      } else {
        labelBelow(x, text);
      }
    }
    axisTitle(ticks.axis().title());
  }

  void labelBelow(double x, String text) {
    label(x, bottom() + 16, "middle", text);
  }

  /** What the horizontal axis is, under the middle of the usual area. */
  void axisTitle(String title) {
    out.element(
        "text",
        title,
        "x",
        number(LEFT + (WIDTH - LEFT - RIGHT) / 2.0),
        "y",
        number(bottom() + 36),
        "text-anchor",
        "middle",
        "class",
        "axis");
  }
}
