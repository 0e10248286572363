package io.orrery.reports.page;

import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.chart.Ticks;

/** Draws points over two value axes; what a point is comes up beside it. */
final class PointDrawing {
  private static final int HEIGHT = 260;
  private static final int RING_RADIUS = 9;

  private PointDrawing() {}

  static void draw(PointChart chart, Markup out) {
    Ticks x = chart.ticks(true);
    Ticks y = chart.ticks(false);
    Plot plot = new Plot(out, HEIGHT);
    plot.begin(chart, "points");
    plot.frame(x, y, chart.limit(), chart.limitName());
    for (int i = 0; i < chart.series().size(); i++) {
      for (PointChart.Point point : chart.series().get(i).points()) {
        if (!Double.isNaN(point.x()) && !Double.isNaN(point.y())) {
          double left = plot.x(x, point.x());
          double top = plot.y(y, point.y());
          out.open("path", "class", Plot.series(i) + " mark", "d", MarkPath.of(i, left, top));
          out.element("title", told(chart, point));
          out.close("path");
          if (point.ringed()) {
            out.empty("path", "class", "ring", "d", MarkPath.ring(left, top, RING_RADIUS));
          }
        }
      }
    }
    plot.end();
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
}
