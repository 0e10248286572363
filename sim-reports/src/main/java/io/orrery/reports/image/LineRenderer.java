package io.orrery.reports.image;

import io.orrery.reports.chart.LineChart;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;

/** Draws lines without marks, and a dot for each value that no line leads to. */
final class LineRenderer extends XYLineAndShapeRenderer {
  private static final long serialVersionUID = 1;

  private final transient LineChart chart;

  LineRenderer(LineChart chart) {
    super(true, false);
    this.chart = chart;
    setDrawSeriesLineAsPath(true);
  }

  @Override
  public boolean getItemShapeVisible(int series, int item) {
    // Of stepped lines every second item is a corner between two values.
    return chart.steps()
        ? item % 2 == 0 && chart.lines().get(series).isAlone(item / 2)
        : chart.lines().get(series).isAlone(item);
  }
}
