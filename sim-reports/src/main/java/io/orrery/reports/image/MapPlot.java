package io.orrery.reports.image;

import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.Ticks;
import java.awt.Paint;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.DefaultIntervalXYDataset;

/** A heat map as a plot of JFreeChart: rectangles of ten shades, neighbours of one shade joined. */
final class MapPlot {
  private static final int SHADES = 10;

  /** Half of a row, less a gap. */
  private static final double HALF = 0.46;

  private MapPlot() {}

  /** A stretch of a row of one shade. */
  private record Cell(int row, double from, double to, int shade) {}

  static Plot of(HeatMap chart) {
    double end = chart.edges()[chart.edges().length - 1];
    MarkedAxis across = new MarkedAxis(Ticks.of(chart.x(), 0, end));
    List<Cell> cells = cells(chart, across);
    double[][] edges = new double[6][cells.size()];
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      edges[0][i] = cell.from();
      edges[1][i] = cell.from();
      edges[2][i] = cell.to();
      edges[3][i] = cell.row();
      edges[4][i] = cell.row() - HALF;
      edges[5][i] = cell.row() + HALF;
    }
    DefaultIntervalXYDataset data = new DefaultIntervalXYDataset();
    data.addSeries(0, edges);
    XYPlot plot = Theme.plain(new XYPlot(data, across, rows(chart), new Shades(cells)));
    plot.setDomainGridlinesVisible(false);
    plot.setRangeGridlinesVisible(false);
    return plot;
  }

  private static SymbolAxis rows(HeatMap chart) {
    SymbolAxis rows = new SymbolAxis("", chart.rows().toArray(new String[0]));
    rows.setInverted(true);
    rows.setGridBandsVisible(false);
    rows.setTickLabelFont(Theme.SMALL);
    rows.setTickLabelPaint(Theme.INK);
    rows.setTickLabelInsets(new RectangleInsets(0, 2, 0, 2));
    rows.setRange(-0.5, chart.rows().size() - 0.5);
    return rows;
  }

  private static List<Cell> cells(HeatMap chart, MarkedAxis across) {
    double most = Math.max(chart.max(), Double.MIN_NORMAL);
    List<Cell> cells = new ArrayList<>();
    for (int row = 0; row < chart.rows().size(); row++) {
      double[] values = chart.cells()[row];
      int from = 0;
      while (from < values.length) {
        int shade = shade(values[from], most);
        int to = from + 1;
        while (to < values.length && shade(values[to], most) == shade) {
          to++;
        }
        if (shade > 0) {
          double left = across.position(chart.edges()[from]);
          cells.add(new Cell(row, left, across.position(chart.edges()[to]), shade));
        }
        from = to;
      }
    }
    return cells;
  }

  private static int shade(double value, double most) {
    return Double.isNaN(value) ? 0 : (int) Math.round(SHADES * value / most);
  }

  /** Draws each cell in its shade. */
  private static final class Shades extends XYBarRenderer {
    private static final long serialVersionUID = 1;

    private final transient List<Cell> cells;

    Shades(List<Cell> cells) {
      this.cells = cells;
      setUseYInterval(true);
      setShadowVisible(false);
      setDrawBarOutline(false);
      setBarPainter(new StandardXYBarPainter());
    }

    @Override
    public Paint getItemPaint(int series, int item) {
      return Theme.shade((double) cells.get(item).shade() / SHADES);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
