package io.orrery.reports.fidelity;

import io.orrery.reports.image.SvgImage;
import io.orrery.scenarios.fidelity.FidelityResult;
import io.orrery.scenarios.fidelity.FidelityRow;
import io.orrery.scenarios.fidelity.Metric;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Told against measured, time per output token on the left and time to first token on the right, a
 * point a measurement, both axes logarithmic. The diagonal is where both agree; the lines beside it
 * are 20 % off. Engines differ in shape as well as in colour.
 */
public final class ScatterChart {
  private static final int WIDTH = 1080;
  private static final int HEIGHT = 520;
  private static final double OFF = 1.2;
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Color INK = new Color(0x33, 0x33, 0x33);
  private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);

  /** Okabe and Ito's colours, which colour-blind readers tell apart. */
  private static final Color[] COLOURS = {
    new Color(0x00, 0x72, 0xb2), new Color(0xd5, 0x5e, 0x00), new Color(0x00, 0x9e, 0x73)
  };

  private ScatterChart() {}

  /** What the chart shows, in words. */
  static String alternative(FidelityResult result) {
    return String.format(
        Locale.ROOT,
        "Scatter plot of told against measured time per output token and time to first token of %,d"
            + " measurements; half of them are within %s and %s",
        result.rows().size(),
        Text.percent(Errors.judged(result.rows(), Metric.TPOT, 0.5)),
        Text.percent(Errors.judged(result.rows(), Metric.TTFT, 0.5)));
  }

  /** Writes the chart as SVG, its words as text. */
  public static void write(FidelityResult result, Writer out) throws IOException {
    double half = WIDTH / 2.0;
    JFreeChart left = chart(result.rows(), Metric.TPOT, "Time per output token, ms");
    JFreeChart right = chart(result.rows(), Metric.TTFT, "Time to first token, ms");
    SvgImage.write(
        WIDTH,
        HEIGHT,
        "Told against measured serving",
        alternative(result),
        graphics -> {
          left.draw(graphics, new Rectangle2D.Double(0, 0, half, HEIGHT));
          right.draw(graphics, new Rectangle2D.Double(half, 0, half, HEIGHT));
        },
        out);
  }

  private static JFreeChart chart(List<FidelityRow> rows, Metric metric, String title) {
    XYSeriesCollection points = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    List<Group> engines = Group.of(rows, Group.Key.ENGINE);
    for (int i = 0; i < engines.size(); i++) {
      XYSeries series = new XYSeries(String.join(" ", engines.get(i).keys().values()), false, true);
      for (FidelityRow row : engines.get(i).rows()) {
        double measured = metric.of(row.measured());
        double told = measured * row.ratio(metric, row.judgement());
        series.add(measured, told);
        least = Math.min(least, Math.min(measured, told));
        most = Math.max(most, Math.max(measured, told));
      }
      points.addSeries(series);
      renderer.setSeriesShape(i, shape(i));
      renderer.setSeriesPaint(i, COLOURS[i % COLOURS.length]);
      renderer.setSeriesShapesFilled(i, false);
    }
    LogAxis across = axis(title + ", measured", least, most);
    LogAxis up = axis("told", least, most);
    XYPlot plot = new XYPlot(points, across, up, renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    plot.setOutlinePaint(INK);
    guides(plot, least / 2, most * 2);
    JFreeChart chart = new JFreeChart(title, FONT.deriveFont(Font.BOLD, 15f), plot, true);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getLegend().setItemFont(FONT);
    return chart;
  }

  private static Shape shape(int engine) {
    return switch (engine % 3) {
      case 0 -> new Ellipse2D.Double(-2.5, -2.5, 5, 5);
      case 1 -> new Rectangle2D.Double(-2.3, -2.3, 4.6, 4.6);
      default -> {
        Path2D triangle = new Path2D.Double();
        triangle.moveTo(0, -3);
        triangle.lineTo(2.8, 2.4);
        triangle.lineTo(-2.8, 2.4);
        triangle.closePath();
        yield triangle;
      }
    };
  }

  private static LogAxis axis(String label, double least, double most) {
    LogAxis axis = new LogAxis(label);
    axis.setRange(least / 1.3, most * 1.3);
    axis.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
    axis.setLabelFont(FONT);
    axis.setTickLabelFont(FONT);
    axis.setLabelPaint(INK);
    axis.setTickLabelPaint(INK);
    return axis;
  }

  /** The diagonal, and the lines beside it, as a second data set without entries in the legend. */
  private static void guides(XYPlot plot, double from, double to) {
    XYSeriesCollection lines = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
    double[] factors = {1, OFF, 1 / OFF};
    for (int i = 0; i < factors.length; i++) {
      XYSeries line = new XYSeries("guide " + i);
      line.add(from, from * factors[i]);
      line.add(to, to * factors[i]);
      lines.addSeries(line);
      renderer.setSeriesPaint(i, INK);
      renderer.setSeriesStroke(
          i,
          i == 0
              ? new BasicStroke(1f)
              : new BasicStroke(
                  1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1f, new float[] {4f, 4f}, 0f));
      renderer.setSeriesVisibleInLegend(i, false);
    }
    plot.setDataset(1, lines);
    plot.setRenderer(1, renderer);
  }
}
