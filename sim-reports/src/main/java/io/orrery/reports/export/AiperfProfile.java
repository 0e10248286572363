package io.orrery.reports.export;

import io.orrery.reports.JsonText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.jspecify.annotations.Nullable;

/**
 * A run as NVIDIA AIPerf writes it ({@code profile_export_aiperf.json} and {@code .csv}): the same
 * names, units and statistics, so that what compares measured servers compares simulated ones too.
 * Percentiles are interpolated as NumPy does.
 */
final class AiperfProfile {
  private static final double[] PERCENTILES = {1, 5, 10, 25, 50, 75, 90, 95, 99};

  private static final MathContext DIGITS = new MathContext(12);

  /** One metric: a distribution, or one value. */
  private record Entry(
      String key, String title, String unit, double @Nullable [] samples, double value) {}

  private final List<Entry> entries = new ArrayList<>();

  AiperfProfile(RunRequests requests, OptionalDouble goodput) {
    distribution("time_to_first_token", "Time to First Token", "ms", millis(requests.ttft()));
    distribution("time_to_second_token", "Time to Second Token", "ms", millis(requests.second()));
    distribution("request_latency", "Request Latency", "ms", millis(requests.latency()));
    distribution(
        "inter_token_latency",
        "Inter Token Latency",
        "ms",
        Arrays.stream(requests.perToken()).map(nanos -> nanos / 1e6).toArray());
    distribution(
        "output_token_throughput_per_user",
        "Output Token Throughput Per User",
        "tokens/sec/user",
        Arrays.stream(requests.perToken()).map(nanos -> 1e9 / nanos).toArray());
    distribution(
        "output_sequence_length",
        "Output Sequence Length",
        "tokens",
        Arrays.stream(requests.outputTokens()).asDoubleStream().toArray());
    distribution(
        "input_sequence_length",
        "Input Sequence Length",
        "tokens",
        Arrays.stream(requests.inputTokens()).asDoubleStream().toArray());
    double seconds = requests.seconds();
    value(
        "output_token_throughput",
        "Output Token Throughput",
        "tokens/sec",
        Arrays.stream(requests.outputTokens()).sum() / seconds);
    value(
        "request_throughput", "Request Throughput", "requests/sec", requests.completed() / seconds);
    goodput.ifPresent(rate -> value("goodput", "Goodput", "requests/sec", rate));
    value("request_count", "Request Count", "requests", requests.completed());
    if (requests.failures() > 0) {
      value("error_request_count", "Error Request Count", "requests", requests.failures());
    }
    value("benchmark_duration", "Benchmark Duration", "sec", seconds);
  }

  private static double[] millis(long[] nanos) {
    return Arrays.stream(nanos).mapToDouble(value -> value / 1e6).toArray();
  }

  private void distribution(String key, String title, String unit, double[] samples) {
    if (samples.length > 0) {
      entries.add(new Entry(key, title, unit, samples, Double.NaN));
    }
  }

  private void value(String key, String title, String unit, double value) {
    if (Double.isFinite(value)) {
      entries.add(new Entry(key, title, unit, null, value));
    }
  }

  /** The statistics of a metric by name; absent ones are left out. */
  private static Map<String, Double> statistics(Entry entry) {
    Map<String, Double> found = new LinkedHashMap<>();
    double[] samples = entry.samples();
    if (samples == null) {
      found.put("avg", entry.value());
      return found;
    }
    found.put("avg", StatUtils.mean(samples));
    found.put("min", StatUtils.min(samples));
    found.put("max", StatUtils.max(samples));
    if (entry.unit().equals("tokens")) {
      found.put("sum", StatUtils.sum(samples));
    }
    Percentile percentile = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
    percentile.setData(samples);
    for (double p : PERCENTILES) {
      found.put("p" + (int) p, percentile.evaluate(p));
    }
    if (samples.length > 1) {
      found.put("std", Math.sqrt(StatUtils.variance(samples)));
    }
    return found;
  }

  /**
   * The JSON document.
   *
   * @param facts about the run, for {@code input_config}
   */
  String json(Map<String, Object> facts) {
    Map<String, Object> document = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Map<String, Object> block = new LinkedHashMap<>();
      block.put("unit", entry.unit());
      statistics(entry).forEach((name, value) -> block.put(name, rounded(value)));
      if (entry.samples() != null) {
        block.put("count", (long) entry.samples().length);
      }
      document.put(entry.key(), block);
    }
    document.put("input_config", facts);
    document.put("was_cancelled", false);
    document.put("error_summary", List.of());
    return JsonText.of(document);
  }

  /** The CSV document: distributions, an empty line, single values. */
  String csv() {
    List<String> columns = new ArrayList<>(List.of("avg", "min", "max", "sum"));
    for (double p : PERCENTILES) {
      columns.add("p" + (int) p);
    }
    columns.add("std");
    StringBuilder text = new StringBuilder("Metric," + String.join(",", columns) + "\r\n");
    for (Entry entry : entries) {
      if (entry.samples() != null) {
        text.append(entry.title()).append(" (").append(entry.unit()).append(')');
        Map<String, Double> statistics = statistics(entry);
        for (String column : columns) {
          Double value = statistics.get(column);
          text.append(',').append(value == null ? "" : two(value));
        }
        text.append("\r\n");
      }
    }
    text.append("\r\nMetric,Value\r\n");
    for (Entry entry : entries) {
      if (entry.samples() == null) {
        text.append(entry.title());
        text.append(entry.unit().equals("requests") ? "" : " (" + entry.unit() + ")");
        text.append(',').append(two(entry.value())).append("\r\n");
      }
    }
    return text.toString();
  }

  private static BigDecimal rounded(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
