package io.orrery.reports.image;

import io.orrery.reports.chart.Ticks;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/**
 * An axis with the marks of the HTML report. It runs from 0 to 1: values are put on it by {@link
 * Ticks#position}, so that linear and logarithmic axes are one.
 */
final class MarkedAxis extends NumberAxis {
  private static final long serialVersionUID = 1;

  private final transient Ticks ticks;

  MarkedAxis(Ticks ticks) {
    super(ticks.axis().title());
    this.ticks = ticks;
    setRange(0, 1);
    setLabelFont(Theme.FONT);
    setLabelPaint(Theme.INK);
    setTickLabelFont(Theme.SMALL);
    setTickLabelPaint(Theme.SOFT);
    setAxisLinePaint(Theme.SOFT);
    setTickMarkPaint(Theme.SOFT);
  }

  double[] positions(double[] values) {
    double[] positions = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      positions[i] = Double.isNaN(values[i]) ? Double.NaN : ticks.position(values[i]);
    }
    return positions;
  }

  double position(double value) {
    return ticks.position(value);
  }

  @Override
  public List<NumberTick> refreshTicks(
      Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
    boolean horizontal = RectangleEdge.isTopOrBottom(edge);
    TextAnchor anchor = horizontal ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
    List<NumberTick> marks = new ArrayList<>();
    for (double mark : ticks.marks()) {
      marks.add(
          new NumberTick(ticks.position(mark), ticks.label(mark), anchor, TextAnchor.CENTER, 0));
    }
    return marks;
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
