package io.orrery.reports.page;

import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.Ticks;

/** Draws lines over two value axes. */
final class LineDrawing {
  private static final int HEIGHT = 260;

  private LineDrawing() {}

  static void draw(LineChart chart, Markup out) {
    Ticks x = chart.ticks(true);
    Ticks y = chart.ticks(false);
    Plot plot = new Plot(out, HEIGHT);
    plot.begin(chart, "lines");
    plot.frame(x, y, chart.limit(), chart.limitName());
    for (int i = 0; i < chart.lines().size(); i++) {
      LinePath path = new LinePath(chart.lines().get(i), x, y, plot);
      out.empty("path", "class", Plot.series(i) + " line", "d", path.line(chart.steps()));
      String dots = path.dots();
      if (!dots.isEmpty()) {
        out.empty("path", "class", Plot.series(i) + " dots", "d", dots);
      }
    }
    plot.end();
  }
}
