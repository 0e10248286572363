package io.orrery.reports.summary;

import java.util.List;

/**
 * A number of the summary, or a block of numbers.
 *
 * @param key the key in JSON, dots for nesting, with the unit in the name where there is one
 * @param shape one number, or which numbers
 * @param better which way is better
 * @param meaning one sentence
 */
public record Metric(String key, Shape shape, Better better, String meaning) {
  /** What stands behind a key. */
  public enum Shape {
    /** A whole number. */
    COUNT("whole number"),
    /** A decimal number. */
    NUMBER("number"),
    /** Quantiles of samples. */
    QUANTILES("quantiles", "p50", "p90", "p95", "p99", "p999", "mean", "max", "count"),
    /** Quantiles of a level over time, by how long each level lasted. */
    LEVEL("level over time", "p50", "p95", "p99", "mean", "max");

    private final String label;
    private final List<String> parts;

    Shape(String label, String... parts) {
      this.label = label;
      this.parts = List.of(parts);
    }

    /** The name in documentation. */
    public String label() {
      return label;
    }

    /** The keys below the metric's own; none for a plain number. */
    public List<String> parts() {
      return parts;
    }
  }

  /** Which way is better, for comparisons. */
  public enum Better {
    LOWER,
    HIGHER,
    /** A fact of the load, or neither good nor bad by itself. */
    NEITHER
  }

  static Metric count(String key, Better better, String meaning) {
    return new Metric(key, Shape.COUNT, better, meaning);
  }

  static Metric number(String key, Better better, String meaning) {
    return new Metric(key, Shape.NUMBER, better, meaning);
  }

  static Metric quantiles(String key, Better better, String meaning) {
    return new Metric(key, Shape.QUANTILES, better, meaning);
  }

  static Metric level(String key, Better better, String meaning) {
    return new Metric(key, Shape.LEVEL, better, meaning);
  }
}
