package io.orrery.reports.chart;

import java.util.List;

/**
 * Points in a plane, nothing between them: each is one thing that was tried.
 *
 * @param limit a horizontal line to compare with, NaN for none
 * @param limitName what that line is; empty for none
 * @param ringName what points with a ring have in common; empty if there are none
 */
public record PointChart(
    String id,
    String title,
    String description,
    Axis x,
    Axis y,
    List<Series> series,
    double limit,
    String limitName,
    String ringName)
    implements Chart {
  public PointChart {
    series = List.copyOf(series);
  }

  /** Points of one kind. */
  public record Series(String name, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * A point.
   *
   * @param ringed whether it stands out
   */
  public record Point(String name, double x, double y, boolean ringed) {}

  /** The range of an axis and its marks. */
  public Ticks ticks(boolean horizontal) {
    double least = Double.POSITIVE_INFINITY;
    double most = horizontal || Double.isNaN(limit) ? 0 : limit;
    for (Series some : series) {
      for (Point point : some.points()) {
        double value = horizontal ? point.x() : point.y();
        least = value > 0 ? Math.min(least, value) : least;
        most = value > most ? value : most;
      }
    }
    return Ticks.of(horizontal ? x : y, Double.isInfinite(least) ? 0 : least, most);
  }
}
