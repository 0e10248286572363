package io.orrery.reports.export;

import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the completed requests of one variant took, from {@code requests.parquet}. Times are
 * nanoseconds.
 *
 * @param inputTokens of each request
 * @param outputTokens of each request
 * @param ttft time to first token
 * @param second from the first to the second token, of requests with two or more
 * @param perToken time per output token after the first, of requests with two or more
 * @param latency from sending to last token
 * @param sent when the first request was sent
 * @param ended when the last one ended
 * @param failures requests that were sent and not completed
 */
record RunRequests(
    long[] inputTokens,
    long[] outputTokens,
    long[] ttft,
    long[] second,
    double[] perToken,
    long[] latency,
    long sent,
    long ended,
    int failures) {
  private static final long NONE = -1;

  /** The requests of every variant in a table, in the table's order. */
  static Map<String, RunRequests> read(Path table) {
    ParquetTable rows =
        ParquetReader.readTable(
            table,
            "run",
            "state",
            "input_tokens",
            "output_tokens",
            "arrival_ns",
            "first_token_ns",
            "second_token_ns",
            "end_ns");
    Map<String, Collected> variants = new LinkedHashMap<>();
    String[] names = rows.strings("run");
    String[] states = rows.strings("state");
    long[] input = rows.longs("input_tokens");
    long[] output = rows.longs("output_tokens");
    long[] sent = rows.longs("arrival_ns", NONE);
    long[] first = rows.longs("first_token_ns", NONE);
    long[] second = rows.longs("second_token_ns", NONE);
    long[] end = rows.longs("end_ns", NONE);
    for (int row = 0; row < names.length; row++) {
      Collected variant = variants.computeIfAbsent(names[row], name -> new Collected());
      variant.begin = Math.min(variant.begin, sent[row]);
      if (states[row].equals("finished")) {
        variant.add(input[row], output[row], sent[row], first[row], second[row], end[row]);
      } else {
        variant.failures++;
      }
    }
    Map<String, RunRequests> found = new LinkedHashMap<>();
    variants.forEach((name, variant) -> found.put(name, variant.done()));
    return found;
  }

  private static final class Collected {
    private final List<long[]> rows = new ArrayList<>();
    private long begin = Long.MAX_VALUE;
    private long last;
    private int failures;

    void add(long input, long output, long sent, long first, long second, long end) {
      rows.add(new long[] {input, output, first - sent, second - first, end - first, end - sent});
      last = Math.max(last, end);
    }

    private long[] column(int column, boolean several) {
      return rows.stream()
          .filter(row -> !several || row[1] > 1)
          .mapToLong(row -> row[column])
          .toArray();
    }

    RunRequests done() {
      double[] perToken =
          rows.stream()
              .filter(row -> row[1] > 1)
              .mapToDouble(row -> (double) row[4] / (row[1] - 1))
              .toArray();
      return new RunRequests(
          column(0, false),
          column(1, false),
          column(2, false),
          column(3, true),
          perToken,
          column(5, false),
          begin,
          last,
          failures);
    }
  }

  int completed() {
    return latency.length;
  }

  /** Seconds from the first sending to the last token. */
  double seconds() {
    return (ended - sent) / 1e9;
  }
}
