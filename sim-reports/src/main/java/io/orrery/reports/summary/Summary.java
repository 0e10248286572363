package io.orrery.reports.summary;

import io.orrery.engine.record.Samples;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The numbers of one run by key, such as {@code requests.completed} or {@code ttft_ms.p95}. Equal
 * runs have equal summaries, digit for digit.
 */
public final class Summary {
  private final Map<String, Number> values;

  private Summary(Map<String, Number> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** A summary of numbers that were computed before, by full key; {@code Long} or decimal. */
  public static Summary of(Map<String, Number> values) {
    return new Summary(values);
  }

  /**
   * Every number by its full key, in the order of the metrics; {@code Long} or {@code BigDecimal}.
   */
  public Map<String, Number> values() {
    return values;
  }

  /** The number of a key; empty where the run has no samples of it. */
  public OptionalDouble get(String key) {
    Number value = values.get(key);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value.doubleValue());
  }

  /** The number of a key, or {@code otherwise} where the run has no samples of it. */
  public double get(String key, double otherwise) {
    return get(key).orElse(otherwise);
  }

  /** The numbers as a tree, nested at the dots of their keys. */
  public Map<String, Object> tree() {
    Map<String, Object> root = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          Map<String, Object> parent = root;
          int from = 0;
          for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', from)) {
            parent = child(parent, key.substring(from, dot));
            from = dot + 1;
          }
          parent.put(key.substring(from), value);
        });
    return root;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<String, Object> parent, String name) {
    return (Map<String, Object>)
        parent.computeIfAbsent(name, key -> new LinkedHashMap<String, Object>());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Summary summary && summary.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }

  /** Collects a summary. */
  static final class Builder {
    private final Map<String, Number> values = new LinkedHashMap<>();
    private final Map<String, MergeableSummary.Quantiles> samples = new LinkedHashMap<>();

    void put(Metric metric, long value) {
      values.put(metric.key(), value);
    }

    void put(Metric metric, BigDecimal value) {
      values.put(metric.key(), Decimals.plain(value));
    }

    /** Leaves out what is not a number, such as a share of nothing. */
    void put(Metric metric, double value) {
      put(metric.key(), value);
    }

    private void put(String key, double value) {
      if (Double.isFinite(value)) {
        values.put(key, Decimals.of(value));
      }
    }

    /**
     * Puts the quantiles of samples, if there are any.
     *
     * @param unit samples that make one unit of the metric: 1e6 for nanoseconds in milliseconds
     */
    void put(Metric metric, Samples samples, double unit) {
      if (samples.count() == 0) {
        return;
      }
      this.samples.put(metric.key(), new MergeableSummary.Quantiles(samples, unit));
      String key = metric.key() + ".";
      put(key + "p50", samples.quantile(0.5) / unit);
      put(key + "p90", samples.quantile(0.9) / unit);
      put(key + "p95", samples.quantile(0.95) / unit);
      put(key + "p99", samples.quantile(0.99) / unit);
      put(key + "p999", samples.quantile(0.999) / unit);
      put(key + "mean", samples.mean() / unit);
      put(key + "max", samples.max() / unit);
      values.put(key + "count", samples.count());
      if (!samples.exact()) {
        put(key + "relative_error", samples.relativeError());
      }
    }

    /**
     * Puts the quantiles of a level over time, if any time passed.
     *
     * @param scale of the metric for one step of the level
     */
    void put(Metric metric, LevelOverTime level, double scale) {
      if (level.nanos() == 0) {
        return;
      }
      String key = metric.key() + ".";
      put(key + "p50", level.quantile(0.5) * scale);
      put(key + "p95", level.quantile(0.95) * scale);
      put(key + "p99", level.quantile(0.99) * scale);
      put(key + "mean", level.mean() * scale);
      put(key + "max", level.max() * scale);
      if (level.relativeError() > 0) {
        put(key + "relative_error", level.relativeError());
      }
    }

    /** Puts a level over time of which the quantiles are known already. */
    void put(Metric metric, double p50, double p95, double p99, double mean, double max) {
      String key = metric.key() + ".";
      put(key + "p50", p50);
      put(key + "p95", p95);
      put(key + "p99", p99);
      put(key + "mean", mean);
      put(key + "max", max);
    }

    /** The samples behind every block of quantiles, by the metric's key. */
    Map<String, MergeableSummary.Quantiles> samples() {
      return samples;
    }

    Summary build() {
      return new Summary(values);
    }
  }
}
