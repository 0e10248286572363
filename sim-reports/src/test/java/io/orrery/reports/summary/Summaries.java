package io.orrery.reports.summary;

import java.math.BigDecimal;
import java.util.Map;

/** Summaries made up for the tests of tables and sentences. */
public final class Summaries {
  private Summaries() {}

  /** A summary of these numbers, by the keys of metrics or of their parts. */
  public static Summary of(Map<String, ? extends Number> values) {
    Summary.Builder out = new Summary.Builder();
    values.forEach(
        (key, value) -> {
          Metric part = new Metric(key, Metric.Shape.NUMBER, Metrics.of(key).better(), "Made up.");
          out.put(part, new BigDecimal(value.toString()));
        });
    return out.build();
  }
}
