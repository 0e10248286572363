package io.orrery.reports.export;

import java.util.Locale;

/** Formats of other tools. */
public enum ExportFormat {
  /** AIPerf's summary as JSON. */
  AIPERF_JSON,
  /** AIPerf's summary as CSV. */
  AIPERF_CSV,
  /** Prometheus' text format. */
  PROMETHEUS,
  /** HdrHistogram's percentile distributions. */
  HGRM;

  /** The name on the command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
