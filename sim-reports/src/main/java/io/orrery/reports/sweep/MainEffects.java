package io.orrery.reports.sweep;

import io.orrery.scenarios.sweep.Factor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What each factor does by itself: the mean of a metric over all groups that have one of its
 * values. Where every value meets every other (a grid), that is the factor's effect averaged over
 * the others; points that are written out or drawn mix it with what else differs.
 */
final class MainEffects {
  private final List<SweepGroup> groups;
  private final List<Factor> factors;

  MainEffects(List<SweepGroup> groups, List<Factor> factors) {
    this.groups = groups;
    this.factors = factors;
  }

  /** The mean of a metric over the groups with a value; NaN without any. */
  double mean(int factor, String value, SweepMetric metric) {
    return groups.stream()
        .filter(group -> group.value(factor).equals(value))
        .mapToDouble(group -> group.get(metric))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  /** Groups with a value. */
  long count(int factor, String value) {
    return groups.stream().filter(group -> group.value(factor).equals(value)).count();
  }

  /** The greatest mean less the least, over the mean of all; NaN without samples. */
  double size(int factor, SweepMetric metric) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (String value : factors.get(factor).values()) {
      double mean = mean(factor, value, metric);
      if (Double.isFinite(mean)) {
        least = Math.min(least, mean);
        most = Math.max(most, mean);
      }
    }
    double all =
        groups.stream()
            .mapToDouble(group -> group.get(metric))
            .filter(Double::isFinite)
            .average()
            .orElse(Double.NaN);
    return Double.isFinite(most - least) && all != 0 ? (most - least) / all : Double.NaN;
  }

  /** The factors but seeds, that which moves a metric most first. */
  List<Integer> ranked(SweepMetric metric) {
    List<Integer> ranked = new ArrayList<>(SweepGroup.factors(factors));
    ranked.sort(
        Comparator.comparingDouble(
            factor -> {
              double size = size(factor, metric);
              return Double.isNaN(size) ? 0 : -size;
            }));
    return ranked;
  }
}
