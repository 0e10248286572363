package io.orrery.reports.chart;

/**
 * A picture as data. What is not known is NaN and is left blank wherever it is shown, never drawn
 * as zero.
 */
public sealed interface Chart permits LineChart, PointChart, BarChart, BoxChart, HeatMap {
  /** A short name, unique in its report: part of file names and of links. */
  String id();

  /** What the picture shows. */
  String title();

  /** What a reader sees in it, for those who cannot see it. */
  String description();
}
