package io.orrery.reports.image;

import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.util.ShapeUtils;

/** Shapes of points, around the origin: series are told apart without colour, too. */
final class Marks {
  /** What points that stand out have around them. */
  static final Shape RING = new Ellipse2D.Double(-9, -9, 18, 18);

  /** A value that no line leads to. */
  static final Shape DOT = new Ellipse2D.Double(-3, -3, 6, 6);

  private Marks() {}

  static Shape of(int series) {
    return switch (series % 4) {
      case 0 -> new Ellipse2D.Double(-4.5, -4.5, 9, 9);
      case 1 -> new Rectangle2D.Double(-4, -4, 8, 8);
      case 2 -> ShapeUtils.createUpTriangle(5);
      default -> ShapeUtils.createDiamond(5.5f);
    };
  }
}
