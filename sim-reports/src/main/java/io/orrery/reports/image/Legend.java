package io.orrery.reports.image;

import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.block.AbstractBlock;
import org.jfree.chart.block.Block;
import org.jfree.chart.block.BlockContainer;
import org.jfree.chart.block.BorderArrangement;
import org.jfree.chart.block.FlowArrangement;
import org.jfree.chart.block.LabelBlock;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.title.CompositeTitle;
import org.jfree.chart.title.Title;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.Size2D;
import org.jfree.chart.ui.VerticalAlignment;
import org.jspecify.annotations.Nullable;

/** What the colours, dashes and hatches of an image stand for. */
final class Legend {
  private Legend() {}

  /** Names of series, by the dashes of their lines. */
  static Title ofLines(List<String> names) {
    return of(names, true);
  }

  /** Names of parts, by the hatches of their areas. */
  static Title ofParts(List<String> names) {
    return of(names, false);
  }

  private static Title of(List<String> names, boolean lines) {
    BlockContainer all =
        new BlockContainer(
            new FlowArrangement(HorizontalAlignment.LEFT, VerticalAlignment.CENTER, 12, 2));
    for (int i = 0; i < names.size(); i++) {
      BlockContainer item = new BlockContainer(new BorderArrangement());
      item.add(new Swatch(i, lines), RectangleEdge.LEFT);
      LabelBlock label = new LabelBlock(names.get(i), Theme.FONT, Theme.INK);
      label.setPadding(0, 5, 0, 0);
      item.add(label);
      all.add(item);
    }
    CompositeTitle title = new CompositeTitle(all);
    title.setPosition(RectangleEdge.BOTTOM);
    title.setPadding(2, 12, 8, 12);
    return title;
  }

  /** A piece of a line, or of an area. */
  private static final class Swatch extends AbstractBlock implements Block {
    private static final int HEIGHT = 14;

    private final int number;
    private final boolean line;

    Swatch(int number, boolean line) {
      this.number = number;
      this.line = line;
    }

    private int widthOf() {
      return line ? 30 : 20;
    }

    @Override
    public Size2D arrange(Graphics2D graphics, RectangleConstraint constraint) {
      return new Size2D(widthOf(), HEIGHT);
    }

    @Override
    public void draw(Graphics2D graphics, Rectangle2D area) {
      double middle = area.getCenterY();
      double left = area.getMinX();
      if (line) {
        graphics.setPaint(Theme.series(number));
        graphics.setStroke(Theme.stroke(number, 2));
        graphics.draw(new Line2D.Double(left, middle, left + widthOf(), middle));
      } else {
        Theme.paintPart(
            graphics,
            new Rectangle2D.Double(left, middle - HEIGHT / 2.0, widthOf(), HEIGHT),
            number);
      }
    }

    @Override
    public @Nullable Object draw(
        Graphics2D graphics, Rectangle2D area, @Nullable Object parameters) {
      draw(graphics, area);
      return null;
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
