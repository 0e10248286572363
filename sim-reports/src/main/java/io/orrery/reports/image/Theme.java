package io.orrery.reports.image;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Stroke;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/**
 * How images look: the colours of the HTML report on paper (Okabe and Ito's, a little darker where
 * lines are thin), and a dash or a hatch for each.
 */
final class Theme {
  static final Color PAPER = Color.WHITE;
  static final Color INK = new Color(0x1b1f24);
  static final Color SOFT = new Color(0x59636e);
  static final Color GRID = new Color(0xd7dce1);
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
  static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 14);

  private static final int[] SERIES = {
    0x0072b2, 0xd55e00, 0x009e73, 0xa6468c, 0xb07a00, 0x3a8fc4, 0x6b4c9a, 0x444444
  };
  private static final float[][] DASHES = {
    {}, {7, 3}, {2, 3}, {9, 3, 2, 3}, {12, 4}, {4, 2}, {1, 2}, {6, 2, 1, 2}
  };
  private static final int[] PARTS = {
    0x009e73, 0x7fcdb5, 0xb8bec5, 0x56b4e9, 0xcc79a7, 0xf0e442, 0xd55e00, 0x7a2e00, 0x444444,
    0x0072b2
  };

  /** Angles of the hatches of parts, in eighths of a turn; none is a plain area. */
  private static final int[][] HATCHES = {{}, {1}, {}, {3}, {0}, {2}, {}, {1}, {}, {3}};

  private static final double HATCH_GAP = 6;

  private Theme() {}

  static Color series(int i) {
    return new Color(SERIES[i % SERIES.length]);
  }

  static Stroke stroke(int i, float width) {
    float[] dash = DASHES[i % DASHES.length];
    return dash.length == 0
        ? new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND)
        : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
  }

  static Color part(int i) {
    return new Color(PARTS[i % PARTS.length]);
  }

  /** The shade of a level between 0 and 1: light to dark, in grey as well. */
  static Color shade(double level) {
    Color dark = new Color(0x0b3a5c);
    return new Color(
        mixed(PAPER.getRed(), dark.getRed(), level),
        mixed(PAPER.getGreen(), dark.getGreen(), level),
        mixed(PAPER.getBlue(), dark.getBlue(), level));
  }

  private static int mixed(int from, int to, double share) {
    return (int) Math.round(from + (to - from) * share);
  }

  /** Fills a part's area with its colour and hatch. */
  static void paintPart(Graphics2D graphics, Rectangle2D area, int part) {
    graphics.setPaint(part(part));
    graphics.fill(area);
    graphics.setPaint(luminance(part(part)) > 0.5 ? SOFT : PAPER);
    graphics.setStroke(new BasicStroke(1));
    for (int angle : HATCHES[part % HATCHES.length]) {
      hatch(graphics, area, angle);
    }
    graphics.setPaint(PAPER);
    graphics.draw(area);
  }

  private static double luminance(Color colour) {
    return (0.3 * colour.getRed() + 0.59 * colour.getGreen() + 0.11 * colour.getBlue()) / 255;
  }

  private static void hatch(Graphics2D graphics, Rectangle2D area, int angle) {
    if (angle == 0) {
      for (double y = area.getMinY() + HATCH_GAP / 2; y < area.getMaxY(); y += HATCH_GAP) {
        graphics.draw(new Line2D.Double(area.getMinX(), y, area.getMaxX(), y));
      }
    } else if (angle == 2) {
      for (double x = area.getMinX() + HATCH_GAP / 2; x < area.getMaxX(); x += HATCH_GAP) {
        graphics.draw(new Line2D.Double(x, area.getMinY(), x, area.getMaxY()));
      }
    } else {
      slanted(graphics, area, angle == 1);
    }
  }

  private static void slanted(Graphics2D graphics, Rectangle2D area, boolean rising) {
    double height = area.getHeight();
    for (double x = area.getMinX() - height; x < area.getMaxX(); x += HATCH_GAP) {
      double from = Math.max(x, area.getMinX());
      double to = Math.min(x + height, area.getMaxX());
      double low = from - x;
      double high = to - x;
      if (to > from) {
        graphics.draw(
            rising
                ? new Line2D.Double(from, area.getMaxY() - low, to, area.getMaxY() - high)
                : new Line2D.Double(from, area.getMinY() + low, to, area.getMinY() + high));
      }
    }
  }

  static XYPlot plain(XYPlot plot) {
    style(plot);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    plot.setDomainGridlineStroke(new BasicStroke(1));
    plot.setRangeGridlineStroke(new BasicStroke(1));
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    return plot;
  }

  static CategoryPlot plain(CategoryPlot plot) {
    style(plot);
    plot.setRangeGridlinePaint(GRID);
    plot.setRangeGridlineStroke(new BasicStroke(1));
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    return plot;
  }

  private static void style(Plot plot) {
    plot.setBackgroundPaint(PAPER);
    plot.setOutlinePaint(GRID);
    plot.setInsets(new RectangleInsets(4, 4, 4, 26));
    plot.setNoDataMessage("no data");
    plot.setNoDataMessageFont(FONT);
  }
}
