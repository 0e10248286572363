package io.orrery.reports.image;

import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.RectangularShape;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarPainter;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.BoxAndWhiskerRenderer;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.statistics.BoxAndWhiskerItem;
import org.jfree.data.statistics.DefaultBoxAndWhiskerCategoryDataset;
import org.jfree.data.xy.DefaultXYDataset;

/** Charts as plots of JFreeChart. */
final class Plots {
  /** What the name of a limit takes of a plot's height. */
  private static final double LABEL_HEIGHT = 0.08;

  private static final BoxAndWhiskerItem EMPTY =
      new BoxAndWhiskerItem(null, null, null, null, null, null, null, null, null);

  private Plots() {}

  static Plot of(Chart chart) {
    if (chart instanceof LineChart lines) {
      return lines(lines);
    } else if (chart instanceof PointChart points) {
      return points(points);
    } else if (chart instanceof BarChart bars) {
      return bars(bars);
    } else if (chart instanceof BoxChart boxes) {
      return boxes(boxes);
    }
    return MapPlot.of((HeatMap) chart);
  }

  private static Plot lines(LineChart chart) {
    MarkedAxis across = new MarkedAxis(chart.ticks(true));
    MarkedAxis up = new MarkedAxis(chart.ticks(false));
    DefaultXYDataset data = new DefaultXYDataset();
    XYLineAndShapeRenderer renderer = new LineRenderer(chart);
    for (int i = 0; i < chart.lines().size(); i++) {
      LineChart.Line line = chart.lines().get(i);
      double[][] points = {across.positions(line.x()), up.positions(line.y())};
      data.addSeries(i, chart.steps() ? stepped(points) : points);
      renderer.setSeriesPaint(i, Theme.series(i));
      renderer.setSeriesStroke(i, Theme.stroke(i, 2), false);
      renderer.setSeriesShape(i, Marks.DOT, false);
    }
    XYPlot plot = Theme.plain(new XYPlot(data, across, up, renderer));
    limit(plot, up, chart.limit(), chart.limitName());
    return plot;
  }

  private static Plot points(PointChart chart) {
    MarkedAxis across = new MarkedAxis(chart.ticks(true));
    MarkedAxis up = new MarkedAxis(chart.ticks(false));
    DefaultXYDataset data = new DefaultXYDataset();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
    List<PointChart.Point> ringed = new ArrayList<>();
    int series = chart.series().size();
    for (int i = 0; i < series; i++) {
      List<PointChart.Point> points = chart.series().get(i).points();
      points.stream().filter(PointChart.Point::ringed).forEach(ringed::add);
      data.addSeries(i, positions(points, across, up));
      renderer.setSeriesPaint(i, Theme.series(i));
      renderer.setSeriesShape(i, Marks.of(i));
    }
    data.addSeries(series, positions(ringed, across, up));
    renderer.setSeriesPaint(series, Theme.INK);
    renderer.setSeriesShape(series, Marks.RING);
    renderer.setSeriesShapesFilled(series, false);
    XYPlot plot = Theme.plain(new XYPlot(data, across, up, renderer));
    limit(plot, up, chart.limit(), chart.limitName());
    return plot;
  }

  private static double[][] positions(
      List<PointChart.Point> points, MarkedAxis across, MarkedAxis up) {
    return new double[][] {
      across.positions(points.stream().mapToDouble(PointChart.Point::x).toArray()),
      up.positions(points.stream().mapToDouble(PointChart.Point::y).toArray())
    };
  }

  private static void limit(XYPlot plot, MarkedAxis up, double limit, String name) {
    if (!Double.isNaN(limit)) {
      ValueMarker marker = new ValueMarker(up.position(limit), Theme.INK, Theme.stroke(2, 1.2f));
      marker.setLabel(name);
      marker.setLabelFont(Theme.SMALL);
      marker.setLabelPaint(Theme.INK);
      marker.setLabelBackgroundColor(new Color(255, 255, 255, 0));
      // Above the line, or below it where the plot ends there.
      Range range = plot.getRangeAxis().getRange();
      boolean room =
          (marker.getValue() - range.getLowerBound()) / range.getLength() <= 1 - LABEL_HEIGHT;
      marker.setLabelAnchor(room ? RectangleAnchor.TOP_RIGHT : RectangleAnchor.BOTTOM_RIGHT);
      marker.setLabelTextAnchor(room ? TextAnchor.BOTTOM_RIGHT : TextAnchor.TOP_RIGHT);
      plot.addRangeMarker(marker);
    }
  }

  /** The corners of steps: each value holds until the next position. */
  private static double[][] stepped(double[][] points) {
    int n = points[0].length;
    double[][] corners = new double[2][Math.max(0, 2 * n - 1)];
    for (int i = 0; i < n; i++) {
      corners[0][2 * i] = points[0][i];
      corners[1][2 * i] = points[1][i];
      if (i + 1 < n) {
        corners[0][2 * i + 1] = points[0][i + 1];
        corners[1][2 * i + 1] = points[1][i];
      }
    }
    return corners;
  }

  private static Plot bars(BarChart chart) {
    MarkedAxis values = new MarkedAxis(chart.ticks());
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    for (int part = 0; part < chart.parts().size(); part++) {
      for (int bar = 0; bar < chart.bars().size(); bar++) {
        double value = chart.parts().get(part).values()[bar];
        // Unknown parts are left out, not drawn as zero.
        Double position = Double.isNaN(value) ? null : values.position(value);
        data.addValue(position, Integer.valueOf(part), Integer.valueOf(bar));
      }
    }
    StackedBarRenderer renderer = new StackedBarRenderer();
    renderer.setBarPainter(new PartPainter());
    renderer.setShadowVisible(false);
    renderer.setMaximumBarWidth(0.12);
    CategoryAxis names = names(chart.bars(), "");
    names.setMaximumCategoryLabelWidthRatio(0.4f);
    CategoryPlot plot = Theme.plain(new CategoryPlot(data, names, values, renderer));
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    return plot;
  }

  /** An axis of names; they are looked up by number, so that equal ones stay apart. */
  private static CategoryAxis names(List<String> names, String label) {
    CategoryAxis axis = new NamedAxis(names, label);
    axis.setTickLabelFont(Theme.SMALL);
    axis.setTickLabelPaint(Theme.INK);
    axis.setLabelFont(Theme.FONT);
    axis.setLabelPaint(Theme.INK);
    axis.setAxisLinePaint(Theme.SOFT);
    return axis;
  }

  /** Paints a bar's part with its hatch. */
  private static final class PartPainter implements BarPainter {
    @Override
    public void paintBar(
        Graphics2D graphics,
        BarRenderer renderer,
        int row,
        int column,
        RectangularShape bar,
        RectangleEdge base) {
      if (bar.getWidth() > 0 && bar.getHeight() > 0) {
        Theme.paintPart(graphics, bar.getBounds2D(), row);
      }
    }

    @Override
    public void paintBarShadow(
        Graphics2D graphics,
        BarRenderer renderer,
        int row,
        int column,
        RectangularShape bar,
        RectangleEdge base,
        boolean pegged) {}
  }

  private static Plot boxes(BoxChart chart) {
    MarkedAxis values = new MarkedAxis(chart.ticks());
    DefaultBoxAndWhiskerCategoryDataset data = new DefaultBoxAndWhiskerCategoryDataset();
    BoxAndWhiskerRenderer renderer = new BoxAndWhiskerRenderer();
    renderer.setMeanVisible(false);
    renderer.setMaxOutlierVisible(false);
    renderer.setMinOutlierVisible(false);
    renderer.setMaximumBarWidth(0.05);
    renderer.setWhiskerWidth(0.4);
    renderer.setUseOutlinePaintForWhiskers(true);
    for (int g = 0; g < chart.groups().size(); g++) {
      List<BoxChart.Box> boxes = chart.groups().get(g).boxes();
      for (int c = 0; c < boxes.size(); c++) {
        BoxChart.Box box = boxes.get(c);
        data.add(box == null ? EMPTY : item(box, values), g, c);
      }
      Color colour = Theme.series(g);
      renderer.setSeriesPaint(
          g, new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), 64));
      renderer.setSeriesOutlinePaint(g, colour);
      renderer.setSeriesOutlineStroke(g, Theme.stroke(g, 1.4f), false);
      renderer.setSeriesStroke(g, Theme.stroke(g, 1.4f), false);
    }
    return Theme.plain(
        new CategoryPlot(data, names(chart.categories(), chart.categoryLabel()), values, renderer));
  }

  private static BoxAndWhiskerItem item(BoxChart.Box box, MarkedAxis axis) {
    double low = axis.position(box.p5());
    double high = axis.position(box.p95());
    return new BoxAndWhiskerItem(
        axis.position(box.p50()),
        axis.position(box.p50()),
        axis.position(box.p25()),
        axis.position(box.p75()),
        low,
        high,
        low,
        high,
        List.of());
  }
}
