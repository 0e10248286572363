package io.orrery.reports.summary;

import java.util.List;

/** Metrics that belong together, and how they are computed. */
interface MetricGroup {
  /** The heading in documentation. */
  String title();

  /** The metrics, in the order of the summary. */
  List<Metric> metrics();

  /** Begins to measure a run. */
  Measure measure(RunFacts run);

  /** Measures the metrics of one group on one run. */
  interface Measure {
    /** Takes in a request that was sent; rows come in order, each once. */
    default void row(RequestRow row) {}

    /** Puts those metrics that have samples into the summary, after the last row. */
    void finish(Summary.Builder out);
  }
}
