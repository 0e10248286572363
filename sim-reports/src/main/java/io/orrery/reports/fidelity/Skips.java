package io.orrery.reports.fidelity;

import io.orrery.scenarios.fidelity.FidelityResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Measurements that were not replayed, counted by reason. */
final class Skips {
  private Skips() {}

  /** Reasons in the order of their text, and how many each. */
  static Map<String, Long> byReason(List<FidelityResult.Skipped> skipped) {
    Map<String, Long> counts = new TreeMap<>();
    for (FidelityResult.Skipped one : skipped) {
      counts.merge(one.configuration().model() + ": " + one.reason(), 1L, Long::sum);
    }
    return counts;
  }
}
