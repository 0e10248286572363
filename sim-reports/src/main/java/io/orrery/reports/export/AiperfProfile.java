package io.orrery.reports.export;

import io.orrery.reports.JsonText;
import io.orrery.traces.columns.LongColumn;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongToDoubleFunction;

/**
 * A run as NVIDIA AIPerf writes it ({@code profile_export_aiperf.json} and {@code .csv}): the same
 * names, units and statistics, so that what compares measured servers compares simulated ones too.
 * Percentiles are interpolated as NumPy does.
 */
final class AiperfProfile {
  private static final double[] PERCENTILES = {1, 5, 10, 25, 50, 75, 90, 95, 99};

  private static final MathContext DIGITS = new MathContext(12);

  /**
   * One metric.
   *
   * @param count of the samples of a distribution; 0 for one value
   * @param statistics by name; of one value, the value
   */
  private record Entry(
      String key, String title, String unit, long count, Map<String, Double> statistics) {}

  private final List<Entry> entries = new ArrayList<>();

  AiperfProfile(RunRequests requests, OptionalDouble goodput) {
    LongToDoubleFunction millis = nanos -> nanos / 1e6;
    distribution("time_to_first_token", "Time to First Token", "ms", requests.ttft(), millis);
    distribution("time_to_second_token", "Time to Second Token", "ms", requests.second(), millis);
    distribution("request_latency", "Request Latency", "ms", requests.latency(), millis);
    distribution(
        "inter_token_latency",
        "Inter Token Latency",
        "ms",
        requests.perToken(),
        bits -> Double.longBitsToDouble(bits) / 1e6);
    distribution(
        "output_token_throughput_per_user",
        "Output Token Throughput Per User",
        "tokens/sec/user",
        requests.perSecond(),
        Double::longBitsToDouble);
    LongToDoubleFunction tokens = count -> count;
    distribution(
        "output_sequence_length",
        "Output Sequence Length",
        "tokens",
        requests.outputTokens(),
        tokens);
    distribution(
        "input_sequence_length", "Input Sequence Length", "tokens", requests.inputTokens(), tokens);
    double seconds = requests.seconds();
    value(
        "output_token_throughput",
        "Output Token Throughput",
        "tokens/sec",
        sum(requests.outputTokens()) / seconds);
    value(
        "request_throughput", "Request Throughput", "requests/sec", requests.completed() / seconds);
    goodput.ifPresent(rate -> value("goodput", "Goodput", "requests/sec", rate));
    value("request_count", "Request Count", "requests", requests.completed());
    if (requests.failures() > 0) {
      value("error_request_count", "Error Request Count", "requests", requests.failures());
    }
    value("benchmark_duration", "Benchmark Duration", "sec", seconds);
  }

  private static double sum(LongColumn counts) {
    long sum = 0;
    for (int i = 0; i < counts.size(); i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  private void distribution(
      String key, String title, String unit, LongColumn samples, LongToDoubleFunction number) {
    if (samples.size() > 0) {
      ColumnStatistics statistics = new ColumnStatistics(samples, number);
      entries.add(
          new Entry(key, title, unit, samples.size(), named(statistics, unit, samples.size() > 1)));
      statistics.release();
    }
  }

  private void value(String key, String title, String unit, double value) {
    if (Double.isFinite(value)) {
      entries.add(new Entry(key, title, unit, 0, Map.of("avg", value)));
    }
  }

  /**
   * The statistics of a distribution by name; absent ones are left out.
   *
   * @param several whether there are two samples or more
   */
  private static Map<String, Double> named(
      ColumnStatistics statistics, String unit, boolean several) {
    Map<String, Double> found = new LinkedHashMap<>();
    found.put("avg", statistics.mean());
    found.put("min", statistics.min());
    found.put("max", statistics.max());
    if (unit.equals("tokens")) {
      found.put("sum", statistics.sum());
    }
    for (double p : PERCENTILES) {
      found.put("p" + (int) p, statistics.percentile(p));
    }
    if (several) {
      found.put("std", statistics.standardDeviation());
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
      entry.statistics().forEach((name, value) -> block.put(name, rounded(value)));
      if (entry.count() > 0) {
        block.put("count", entry.count());
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
      if (entry.count() > 0) {
        text.append(entry.title()).append(" (").append(entry.unit()).append(')');
        for (String column : columns) {
          Double value = entry.statistics().get(column);
          text.append(',').append(value == null ? "" : two(value));
        }
        text.append("\r\n");
      }
    }
    text.append("\r\nMetric,Value\r\n");
    for (Entry entry : entries) {
      if (entry.count() == 0) {
        text.append(entry.title());
        text.append(entry.unit().equals("requests") ? "" : " (" + entry.unit() + ")");
        text.append(',')
            .append(two(entry.statistics().getOrDefault("avg", Double.NaN)))
            .append("\r\n");
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
