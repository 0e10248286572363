package io.orrery.reports.page;

/** Marks of points as SVG path data. */
final class MarkPath {
  private MarkPath() {}

  /** The outline of a series' mark: circle, square, triangle or diamond. */
  static String of(int series, double x, double y) {
    String shape =
        switch (series % 4) {
          case 0 -> "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z";
          case 1 -> "m-4 -4h8v8h-8z";
          case 2 -> "m0 -5l5 9h-10z";
          default -> "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z";
        };
    return "M" + Plot.number(x) + " " + Plot.number(y) + shape;
  }

  /** A circle. */
  static String ring(double x, double y, int radius) {
    String half = "a" + radius + " " + radius + " 0 1 0 ";
    return "M"
        + Plot.number(x - radius)
        + " "
        + Plot.number(y)
        + half
        + 2 * radius
        + " 0"
        + half
        + -2 * radius
        + " 0z";
  }
}
