package io.orrery.reports.summary;

import java.util.List;

/** Metrics that belong together, and how they are computed. */
interface MetricGroup {
  /** The heading in documentation. */
  String title();

  /** The metrics, in the order of the summary. */
  List<Metric> metrics();

  /** Puts those metrics that have samples into the summary. */
  void measure(RunFacts run, Summary.Builder out);
}
