package io.orrery.reports.sweep;

import io.orrery.scenarios.sweep.Factor;
import io.orrery.scenarios.sweep.SweepPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Points that differ in nothing but their seed, with the means of their numbers. */
final class SweepGroup {
  private final String name;
  private final List<String> values;
  private final double[] sums = new double[SweepMetric.values().length];
  private int seeds;
  private double sloTtftMillis;
  private double sloTokensPerSecond;

  private SweepGroup(SweepPoint point) {
    name = point.group();
    values = point.values();
  }

  /** The groups of a sweep's finished points, in order. */
  static List<SweepGroup> of(SweepResults results) throws IOException {
    Map<String, SweepGroup> groups = new LinkedHashMap<>();
    results.forEach(
        (point, result) ->
            groups.computeIfAbsent(point.group(), name -> new SweepGroup(point)).add(result));
    return new ArrayList<>(groups.values());
  }

  private void add(PointResult result) {
    for (SweepMetric metric : SweepMetric.values()) {
      sums[metric.ordinal()] += result.summary().get(metric.key(), Double.NaN);
    }
    seeds++;
    sloTtftMillis = result.sloTtftMillis();
    sloTokensPerSecond = result.sloTokensPerSecond();
  }

  String name() {
    return name;
  }

  int seeds() {
    return seeds;
  }

  /** The mean over the seeds; NaN where one of them has no samples. */
  double get(SweepMetric metric) {
    return sums[metric.ordinal()] / seeds;
  }

  /** The value of a factor, by its place among the sweep's factors. */
  String value(int factor) {
    return values.get(factor);
  }

  /** Promised time to first token. */
  double sloTtftMillis() {
    return sloTtftMillis;
  }

  /** Whether 19 of 20 requests keep each promise of the scenario's slo. */
  boolean keepsSlo() {
    double tpot = get(SweepMetric.TPOT);
    return get(SweepMetric.TTFT) <= sloTtftMillis
        && (Double.isNaN(tpot) || tpot * sloTokensPerSecond <= 1000);
  }

  /** Whether no other group is as good in every metric and better in one. */
  boolean isOnFront(List<SweepGroup> all, List<SweepMetric> metrics) {
    return all.stream().noneMatch(other -> other.dominates(this, metrics));
  }

  private boolean dominates(SweepGroup other, List<SweepMetric> metrics) {
    boolean better = false;
    for (SweepMetric metric : metrics) {
      int order = metric.compare(get(metric), other.get(metric));
      if (order < 0) {
        return false;
      }
      better |= order > 0;
    }
    return better;
  }

  /** The place of the factors that are no seeds. */
  static List<Integer> factors(List<Factor> factors) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < factors.size(); i++) {
      if (!factors.get(i).path().equals(Factor.SEED) && factors.get(i).values().size() > 1) {
        places.add(i);
      }
    }
    return places;
  }
}
