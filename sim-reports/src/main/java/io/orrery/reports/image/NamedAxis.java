package io.orrery.reports.image;

import java.awt.Graphics2D;
import java.util.List;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.text.TextBlock;
import org.jfree.chart.ui.RectangleEdge;

/** An axis of categories that are numbers, shown by name: equal names stay apart. */
final class NamedAxis extends CategoryAxis {
  private static final long serialVersionUID = 1;

  private final transient List<String> names;

  NamedAxis(List<String> names, String label) {
    super(label);
    this.names = names;
  }

  @Override
  @SuppressWarnings("rawtypes") // The overridden method's own.
  protected TextBlock createLabel(
      Comparable category, float width, RectangleEdge edge, Graphics2D graphics) {
    return super.createLabel(names.get((Integer) category), width, edge, graphics);
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
