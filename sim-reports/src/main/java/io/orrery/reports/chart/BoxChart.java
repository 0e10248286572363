package io.orrery.reports.chart;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Distributions side by side: for each category, one box a group.
 *
 * @param categories along the axis, left to right
 * @param groups what is compared within a category
 */
public record BoxChart(
    String id,
    String title,
    String description,
    String categoryLabel,
    Axis value,
    List<String> categories,
    List<Group> groups)
    implements Chart {
  public BoxChart {
    categories = List.copyOf(categories);
    groups = List.copyOf(groups);
  }

  /** The boxes of a group, one a category; null where there are no samples. */
  public record Group(String name, List<@Nullable Box> boxes) {}

  /** A distribution: five quantiles of {@code count} samples. */
  public record Box(double p5, double p25, double p50, double p75, double p95, long count) {}
}
