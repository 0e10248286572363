package io.orrery.reports.page;

import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;

/**
 * Draws a chart as SVG for the HTML page: sizes in a view box, colours by classes that the page's
 * style sheet gives for light, dark and paper. Series are told apart by dashes and shades, too.
 */
final class Drawing {
  private Drawing() {}

  static void draw(Chart chart, Markup out) {
    if (chart instanceof LineChart lines) {
      LineDrawing.draw(lines, out);
    } else if (chart instanceof PointChart points) {
      PointDrawing.draw(points, out);
    } else if (chart instanceof BarChart bars) {
      BarDrawing.draw(bars, out);
    } else if (chart instanceof BoxChart boxes) {
      BoxDrawing.draw(boxes, out);
    } else if (chart instanceof HeatMap map) {
      MapDrawing.draw(map, out);
    }
  }
}
