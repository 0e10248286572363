package io.orrery.reports.page;

import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.Ticks;

/** A line as SVG path data. It is torn where a value is unknown; a value alone becomes a dot. */
final class LinePath {
  /** A circle around the point at which the pen is; the page's script draws the same. */
  private static final String DOT = "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z";

  private final LineChart.Line line;
  private final Ticks across;
  private final Ticks up;
  private final Plot plot;

  LinePath(LineChart.Line line, Ticks across, Ticks up, Plot plot) {
    this.line = line;
    this.across = across;
    this.up = up;
    this.plot = plot;
  }

  /**
   * The line.
   *
   * @param steps whether a value holds until the next point
   */
  String line(boolean steps) {
    StringBuilder path = new StringBuilder();
    boolean pen = false;
    String before = "";
    for (int i = 0; i < line.x().length; i++) {
      if (Double.isNaN(line.y()[i])) {
        pen = false;
        continue;
      }
      String left = left(i);
      String top = top(i);
      if (pen && steps) {
        path.append('L').append(left).append(' ').append(before);
      }
      path.append(pen ? 'L' : 'M').append(left).append(' ').append(top);
      pen = true;
      before = top;
    }
    return path.toString();
  }

  /** The values that no line leads to; empty without any. */
  String dots() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < line.x().length; i++) {
      if (line.isAlone(i)) {
        path.append('M').append(left(i)).append(' ').append(top(i)).append(DOT);
      }
    }
    return path.toString();
  }

  private String left(int at) {
    return Plot.number(plot.x(across, line.x()[at]));
  }

  private String top(int at) {
    return Plot.number(plot.y(up, line.y()[at]));
  }
}
