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

  /** The range of the values' axis and its marks. */
  public Ticks ticks() {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (Group group : groups) {
      for (Box box : group.boxes()) {
        if (box != null) {
          least = box.p5() > 0 ? Math.min(least, box.p5()) : least;
          most = Math.max(most, box.p95());
        }
      }
    }
    return Ticks.of(value, Double.isInfinite(least) ? 0 : least, most);
  }

  /** The boxes of a group, one a category; null where there are no samples. */
  public record Group(String name, List<@Nullable Box> boxes) {}

  /** A distribution: five quantiles of {@code count} samples. */
  public record Box(double p5, double p25, double p50, double p75, double p95, long count) {
    public Box {
      p5 = Digits.rounded(p5);
      p25 = Digits.rounded(p25);
      p50 = Digits.rounded(p50);
      p75 = Digits.rounded(p75);
      p95 = Digits.rounded(p95);
    }
  }
}
