package io.orrery.reports.page;

import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.Ticks;

/** Draws a heat map: a row of shades for each name, darker for more. */
final class MapDrawing {
  private static final int USUAL_HEIGHT = 360;

  /** Lower rows have no room for a name each. */
  private static final int NAMED_ROW = 11;

  private static final int LONGEST_NAME = 10;
  private static final int SHADES = 10;

  private final HeatMap chart;
  private final Markup out;
  private final Ticks ticks;
  private final double most;
  private final int row;
  private final Plot plot;

  private MapDrawing(HeatMap chart, Markup out) {
    this.chart = chart;
    this.out = out;
    this.ticks = Ticks.of(chart.x(), 0, chart.edges()[chart.edges().length - 1]);
    this.most = Math.max(chart.max(), 1e-9);
    this.row = Math.max(6, Math.min(18, USUAL_HEIGHT / Math.max(1, chart.rows().size())));
    this.plot = new Plot(out, row * chart.rows().size());
  }

  static void draw(HeatMap chart, Markup out) {
    new MapDrawing(chart, out).draw();
  }

  private void draw() {
    plot.begin(chart, "map");
    for (int r = 0; r < chart.rows().size(); r++) {
      if (row >= NAMED_ROW || r % 4 == 0) {
        String name = Plot.shortened(chart.rows().get(r), LONGEST_NAME);
        plot.label(plot.left() - 6, top(r) + Math.min(row, NAMED_ROW), "end", name);
      }
      shades(r);
    }
    for (double mark : ticks.marks()) {
      plot.labelBelow(plot.x(ticks, mark), ticks.label(mark));
    }
    plot.axisTitle(
        chart.x().title()
            + "; darkest: "
            + Figures.text(chart.max(), chart.value().unit())
            + " "
            + chart.value().label());
    plot.end();
  }

  private double top(int r) {
    return Plot.TOP + row * r;
  }

  /** Neighbours of one shade become one rectangle. */
  private void shades(int r) {
    double[] cells = chart.cells()[r];
    int from = 0;
    while (from < cells.length) {
      int shade = shade(cells[from]);
      int to = from + 1;
      while (to < cells.length && shade(cells[to]) == shade) {
        to++;
      }
      if (shade > 0) {
        double left = plot.x(ticks, chart.edges()[from]);
        double right = plot.x(ticks, chart.edges()[to]);
        out.empty(
            "rect",
            "class",
            "heat",
            "opacity",
            Plot.number(shade / (double) SHADES),
            "x",
            Plot.number(left),
            "y",
            Plot.number(top(r)),
            "width",
            Plot.number(right - left),
            "height",
            Plot.number(row - 0.5));
      }
      from = to;
    }
  }

  private int shade(double value) {
    return Double.isNaN(value) ? 0 : (int) Math.round(SHADES * value / most);
  }
}
