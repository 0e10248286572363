package io.orrery.reports.image;

import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.title.Title;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jspecify.annotations.Nullable;

/** A chart as an image: title, description, picture, legend. The same chart gives the same SVG. */
public final class ChartImage {
  private static final int WIDTH = 720;

  /** Points of a PNG for each of the SVG. */
  private static final double PNG_SCALE = 1.5;

  private final Chart chart;
  private final JFreeChart drawing;
  private final int height;

  private ChartImage(Chart chart) {
    this.chart = chart;
    drawing = new JFreeChart(null, Theme.FONT, Plots.of(chart), false);
    drawing.setBackgroundPaint(Theme.PAPER);
    drawing.addSubtitle(title(chart.title(), Theme.TITLE, 8));
    drawing.addSubtitle(title(described(chart), Theme.SMALL, 2));
    Title legend = legend(chart);
    if (legend != null) {
      drawing.addSubtitle(legend);
    }
    height = height(chart);
  }

  /** The image of a chart. */
  public static ChartImage of(Chart chart) {
    return new ChartImage(chart);
  }

  private static TextTitle title(String text, Font font, int above) {
    TextTitle title = new TextTitle(text, font);
    title.setPaint(font.isBold() ? Theme.INK : Theme.SOFT);
    title.setPosition(RectangleEdge.TOP);
    title.setHorizontalAlignment(HorizontalAlignment.LEFT);
    title.setTextAlignment(HorizontalAlignment.LEFT);
    title.setPadding(above, 12, 2, 12);
    return title;
  }

  private static String described(Chart chart) {
    return chart instanceof HeatMap map
        ? chart.description()
            + " Darkest: "
            + Figures.text(map.max(), map.value().unit())
            + " "
            + map.value().label()
            + "."
        : chart.description();
  }

  private static @Nullable Title legend(Chart chart) {
    if (chart instanceof LineChart lines) {
      return Legend.ofLines(lines.lines().stream().map(LineChart.Line::name).toList());
    } else if (chart instanceof PointChart points) {
      return Legend.ofMarks(
          points.series().stream().map(PointChart.Series::name).toList(), points.ringName());
    } else if (chart instanceof BarChart bars) {
      return Legend.ofParts(bars.parts().stream().map(BarChart.Part::name).toList());
    } else if (chart instanceof BoxChart boxes) {
      return Legend.ofLines(boxes.groups().stream().map(BoxChart.Group::name).toList());
    }
    return null;
  }

  private static int height(Chart chart) {
    if (chart instanceof BarChart bars) {
      return 150 + 34 * Math.max(2, bars.bars().size());
    }
    if (chart instanceof HeatMap map) {
      return 110 + Math.max(90, Math.min(18, 480 / map.rows().size()) * map.rows().size());
    }
    return 400;
  }

  private void draw(Graphics2D graphics) {
    drawing.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
  }

  /** Writes it as SVG, its words as text. */
  public void svg(Writer out) throws IOException {
    SvgImage.write(WIDTH, height, chart.title(), described(chart), this::draw, out);
  }

  /** Writes it as PNG. */
  public void png(OutputStream out) throws IOException {
    BufferedImage image = PngImage.blank((int) (WIDTH * PNG_SCALE), (int) (height * PNG_SCALE));
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.scale(PNG_SCALE, PNG_SCALE);
    draw(graphics);
    graphics.dispose();
    PngImage.write(image, out);
  }
}
