package io.orrery.reports.export;

import io.orrery.reports.compare.RunSet;
import io.orrery.reports.summary.Metric;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.Summary;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Summaries in Prometheus' text format: {@code orrery_} and a metric's key with underscores for
 * dots, labelled with run and seed. Quantiles of samples are a summary, those of levels over time a
 * gauge with a label {@code stat}.
 */
final class PrometheusText {
  private static final Map<String, String> QUANTILES = quantiles();

  private final StringBuilder out = new StringBuilder();

  private PrometheusText() {}

  private static Map<String, String> quantiles() {
    Map<String, String> quantiles = new LinkedHashMap<>();
    quantiles.put("p50", "0.5");
    quantiles.put("p90", "0.9");
    quantiles.put("p95", "0.95");
    quantiles.put("p99", "0.99");
    quantiles.put("p999", "0.999");
    return quantiles;
  }

  /** The text of all runs. */
  static String of(RunSet runs) {
    PrometheusText text = new PrometheusText();
    Set<Metric> metrics = new LinkedHashSet<>();
    runs.variants()
        .values()
        .forEach(
            variant ->
                variant
                    .bySeed()
                    .values()
                    .forEach(
                        summary ->
                            summary.values().keySet().stream()
                                .filter(Metrics::isKnown)
                                .forEach(key -> metrics.add(Metrics.of(key)))));
    metrics.forEach(metric -> text.metric(metric, runs));
    return text.out.toString();
  }

  private static String name(Metric metric) {
    return "orrery_" + metric.key().replace('.', '_');
  }

  private void metric(Metric metric, RunSet runs) {
    boolean summary = metric.shape() == Metric.Shape.QUANTILES;
    out.append("# HELP ").append(name(metric)).append(' ');
    out.append(metric.meaning().replace("\\", "\\\\").replace("\n", " ")).append('\n');
    out.append("# TYPE ").append(name(metric)).append(summary ? " summary\n" : " gauge\n");
    runs.variants()
        .forEach(
            (run, variant) ->
                variant
                    .bySeed()
                    .forEach((seed, numbers) -> values(metric, labels(run, seed), numbers)));
  }

  private static String labels(String run, long seed) {
    String safe = run.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "run=\"" + safe + "\",seed=\"" + seed + "\"";
  }

  private void values(Metric metric, String labels, Summary numbers) {
    switch (metric.shape()) {
      case COUNT, NUMBER -> line(name(metric), labels, numbers.get(metric.key()));
      case LEVEL -> {
        for (String part : metric.shape().parts()) {
          line(
              name(metric),
              labels + ",stat=\"" + part + "\"",
              numbers.get(metric.key() + "." + part));
        }
      }
      case QUANTILES -> quantiles(metric, labels, numbers);
    }
  }

  private void quantiles(Metric metric, String labels, Summary numbers) {
    QUANTILES.forEach(
        (part, quantile) ->
            line(
                name(metric),
                labels + ",quantile=\"" + quantile + "\"",
                numbers.get(metric.key() + "." + part)));
    line(name(metric), labels + ",quantile=\"1\"", numbers.get(metric.key() + ".max"));
    OptionalDouble count = numbers.get(metric.key() + ".count");
    OptionalDouble mean = numbers.get(metric.key() + ".mean");
    if (count.isPresent() && mean.isPresent()) {
      line(
          name(metric) + "_sum",
          labels,
          OptionalDouble.of(count.getAsDouble() * mean.getAsDouble()));
      line(name(metric) + "_count", labels, count);
    }
  }

  private void line(String name, String labels, OptionalDouble value) {
    if (value.isPresent()) {
      out.append(name).append('{').append(labels).append("} ");
      out.append(BigDecimal.valueOf(value.getAsDouble()).stripTrailingZeros().toPlainString());
      out.append('\n');
    }
  }
}
