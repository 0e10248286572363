package io.orrery.reports.chart;

import java.util.List;

/**
 * Lines over a numeric axis.
 *
 * @param steps whether a value holds until the next point, rather than changing evenly
 * @param limit a horizontal line to compare with, NaN for none
 * @param limitName what that line is; empty for none
 */
public record LineChart(
    String id,
    String title,
    String description,
    Axis x,
    Axis y,
    List<Line> lines,
    boolean steps,
    double limit,
    String limitName)
    implements Chart {
  public LineChart {
    lines = List.copyOf(lines);
    limit = Digits.rounded(limit);
  }

  /** The range of an axis and its marks. */
  public Ticks ticks(boolean horizontal) {
    double least = Double.POSITIVE_INFINITY;
    double most = horizontal || Double.isNaN(limit) ? 0 : limit;
    for (Line line : lines) {
      for (double value : horizontal ? line.x() : line.y()) {
        if (value > 0) {
          least = Math.min(least, value);
        }
        most = value > most ? value : most;
      }
    }
    return Ticks.of(horizontal ? x : y, Double.isInfinite(least) ? 0 : least, most);
  }

  /**
   * A line.
   *
   * @param x positions, never decreasing
   * @param y values; NaN where there is none
   */
  public record Line(String name, double[] x, double[] y) {
    public Line {
      if (x.length != y.length) {
        throw new IllegalArgumentException(x.length + " positions, " + y.length + " values");
      }
      x = Digits.rounded(x);
      y = Digits.rounded(y);
    }

    /** Whether a value is known and neither the one before nor after it is: no line leads to it. */
    public boolean isAlone(int at) {
      return isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1);
    }

    private boolean isKnown(int at) {
      return at >= 0 && at < y.length && !Double.isNaN(y[at]);
    }
  }
}
