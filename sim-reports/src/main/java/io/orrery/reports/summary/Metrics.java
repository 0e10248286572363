package io.orrery.reports.summary;

import io.orrery.models.Names;
import java.util.ArrayList;
import java.util.List;

/** All metrics: one line a group, in the order of the summary. */
public final class Metrics {
  private static final List<MetricGroup> GROUPS =
      List.of(
          new RequestMetrics(),
          new SessionMetrics(),
          new FairnessMetrics(),
          new TokenMetrics(),
          new LedgerMetrics(),
          new HitRateMetrics(),
          new LatencyMetrics(),
          new ThroughputMetrics(),
          new SpeculationMetrics(),
          new ConcurrencyMetrics(),
          new RouterMetrics(),
          new AdmissionMetrics(),
          new HeadroomMetrics(),
          new GpuTimeMetrics(),
          new CostMetrics(),
          new ObservedMetrics());

  private Metrics() {}

  /** The summary of a run. */
  public static Summary summarise(RunFacts run) {
    return summarise(run, 1);
  }

  /**
   * The summary of a run.
   *
   * @param threads how many may work on it; no more than two do
   */
  public static Summary summarise(RunFacts run, int threads) {
    return measured(run, threads).build();
  }

  /** The summary of a run, to be merged with those of others. */
  public static MergeableSummary mergeable(RunFacts run) {
    Summary.Builder measured = measured(run, 1);
    return MergeableSummary.of(measured.build(), measured.samples());
  }

  private static Summary.Builder measured(RunFacts run, int threads) {
    boolean otherIsBusy = threads > 1 && run.beginBound();
    MetricGroup.Measure[] measures = new MetricGroup.Measure[GROUPS.size()];
    for (int i = 0; i < measures.length; i++) {
      measures[i] = GROUPS.get(i).measure(run);
    }
    RequestRow at = run.newRow();
    for (int row = 0; row < run.columns().rows(); row++) {
      takeIn(run, row, at, measures);
    }
    run.sessions().complete();
    if (threads > 1 && !otherIsBusy) {
      run.beginTimeline();
    }
    Summary.Builder out = new Summary.Builder();
    for (MetricGroup.Measure measure : measures) {
      measure.finish(out);
    }
    return out;
  }

  // A method of its own is compiled early, which a loop's body is not.
  private static void takeIn(RunFacts run, int row, RequestRow at, MetricGroup.Measure[] measures) {
    if (run.columns().dispatched(row)) {
      at.moveTo(row);
      run.sessions().row(at);
      for (MetricGroup.Measure measure : measures) {
        measure.row(at);
      }
    }
  }

  /** Every key that a summary may have. */
  private static List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (MetricGroup group : GROUPS) {
      for (Metric metric : group.metrics()) {
        if (metric.shape().parts().isEmpty()) {
          keys.add(metric.key());
        }
        metric.shape().parts().forEach(part -> keys.add(metric.key() + "." + part));
      }
    }
    return keys;
  }

  /** Whether a summary may have a number of that key. */
  public static boolean isNumber(String key) {
    return keys().contains(key);
  }

  /** {@code " (did you mean X?)"} for a key that is none, or nothing. */
  public static String didYouMean(String key) {
    return Names.didYouMean(key, keys());
  }

  /** Whether a number belongs to a metric of this version. */
  public static boolean isKnown(String key) {
    return GROUPS.stream()
        .flatMap(group -> group.metrics().stream())
        .anyMatch(metric -> key.equals(metric.key()) || key.startsWith(metric.key() + "."));
  }

  /**
   * The metric that a number belongs to.
   *
   * @param key of a number in a summary, such as {@code ttft_ms.p95}
   * @throws IllegalArgumentException if there is none
   */
  public static Metric of(String key) {
    for (MetricGroup group : GROUPS) {
      for (Metric metric : group.metrics()) {
        if (key.equals(metric.key()) || key.startsWith(metric.key() + ".")) {
          return metric;
        }
      }
    }
    throw new IllegalArgumentException("no metric has the key " + key);
  }

  static List<MetricGroup> groups() {
    return GROUPS;
  }
}
