package io.orrery.reports.image;

import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
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

  /** What stands before a name. */
  private enum Kind {
    LINE,
    AREA,
    MARK
  }

  /** Names of series, by the dashes of their lines. */
  static Title ofLines(List<String> names) {
    return of(names, Kind.LINE, "");
  }

  /**
   * Names of series, by the marks of their points.
   *
   * @param ringed what points with a ring are; empty if there are none
   */
  static Title ofMarks(List<String> names, String ringed) {
    return of(names, Kind.MARK, ringed);
  }

  /** Names of parts, by the hatches of their areas. */
  static Title ofParts(List<String> names) {
    return of(names, Kind.AREA, "");
  }

  private static Title of(List<String> names, Kind kind, String ringed) {
    BlockContainer all =
        new BlockContainer(
            new FlowArrangement(HorizontalAlignment.LEFT, VerticalAlignment.CENTER, 12, 2));
    for (int i = 0; i < names.size(); i++) {
      all.add(item(names.get(i), new Swatch(i, kind)));
    }
    if (!ringed.isEmpty()) {
      all.add(item(ringed, new Swatch(Swatch.RING, kind)));
    }
    CompositeTitle title = new CompositeTitle(all);
    title.setPosition(RectangleEdge.BOTTOM);
    title.setPadding(2, 12, 8, 12);
    return title;
  }

  private static Block item(String name, Swatch swatch) {
    BlockContainer item = new BlockContainer(new BorderArrangement());
    item.add(swatch, RectangleEdge.LEFT);
    LabelBlock label = new LabelBlock(name, Theme.FONT, Theme.INK);
    label.setPadding(0, 5, 0, 0);
    item.add(label);
    return item;
  }

  /** A piece of a line or of an area, or a mark. */
  private static final class Swatch extends AbstractBlock implements Block {
    static final int RING = -1;
    private static final int HEIGHT = 14;

    private final int number;
    private final Kind kind;

    Swatch(int number, Kind kind) {
      this.number = number;
      this.kind = kind;
    }

    private int widthOf() {
      return kind == Kind.LINE ? 30 : 20;
    }

    private void mark(Graphics2D graphics, Rectangle2D area) {
      AffineTransform place =
          AffineTransform.getTranslateInstance(area.getCenterX(), area.getCenterY());
      if (number == RING) {
        place.scale(0.7, 0.7);
        graphics.setPaint(Theme.INK);
        graphics.setStroke(Theme.stroke(0, 1));
        graphics.draw(place.createTransformedShape(Marks.RING));
      } else {
        graphics.setPaint(Theme.series(number));
        graphics.fill(place.createTransformedShape(Marks.of(number)));
      }
    }

    @Override
    public Size2D arrange(Graphics2D graphics, RectangleConstraint constraint) {
      return new Size2D(widthOf(), HEIGHT);
    }

    @Override
    public void draw(Graphics2D graphics, Rectangle2D area) {
      double middle = area.getCenterY();
      double left = area.getMinX();
      if (kind == Kind.MARK) {
        mark(graphics, area);
      } else if (kind == Kind.LINE) {
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
