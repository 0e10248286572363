package io.orrery.reports.gates;

import io.orrery.reports.compare.Comparison;
import io.orrery.reports.compare.RunSet;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A baseline against the one that takes its place. */
public final class BaselineComparison {
  private BaselineComparison() {}

  /** Every variant that both have. */
  public static List<Comparison> of(Baseline before, Baseline after) {
    List<Comparison> comparisons = new ArrayList<>();
    before
        .variants()
        .forEach(
            (name, old) -> {
              Baseline.Variant now = after.variants().get(name);
              if (now != null) {
                comparisons.add(
                    Comparison.of(name + " before", variant(old), name + " now", variant(now)));
              }
            });
    return comparisons;
  }

  private static RunSet.Variant variant(Baseline.Variant variant) {
    return new RunSet.Variant(
        "", variant.trace(), new TreeMap<>(Map.of(0L, Summary.of(variant.metrics()))));
  }
}
