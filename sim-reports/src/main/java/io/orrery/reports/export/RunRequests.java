package io.orrery.reports.export;

import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import io.orrery.traces.columns.LongColumn;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the completed requests of one variant took, from {@code requests.parquet}: columns with a
 * number for each request, which leave the heap where they are big. Times are nanoseconds.
 */
final class RunRequests {
  private static final long NONE = -1;

  private final LongColumn inputTokens = new LongColumn();
  private final LongColumn outputTokens = new LongColumn();
  private final LongColumn ttft = new LongColumn();
  private final LongColumn second = new LongColumn();
  private final LongColumn perToken = new LongColumn();
  private final LongColumn perSecond = new LongColumn();
  private final LongColumn latency = new LongColumn();
  private long sent = Long.MAX_VALUE;
  private long ended;
  private int failures;

  /** The requests of every variant in a table, in the table's order. */
  static Map<String, RunRequests> read(Path table) {
    Map<String, RunRequests> variants = new LinkedHashMap<>();
    try (ParquetReader reader = ParquetReader.open(table)) {
      for (int group = 0; group < reader.rowGroupCount(); group++) {
        add(
            reader.readRowGroup(
                group,
                "run",
                "state",
                "input_tokens",
                "output_tokens",
                "arrival_ns",
                "first_token_ns",
                "second_token_ns",
                "end_ns"),
            variants);
      }
    }
    return variants;
  }

  private static void add(ParquetTable rows, Map<String, RunRequests> variants) {
    String[] names = rows.strings("run");
    String[] states = rows.strings("state");
    long[] input = rows.longs("input_tokens");
    long[] output = rows.longs("output_tokens");
    long[] sent = rows.longs("arrival_ns", NONE);
    long[] first = rows.longs("first_token_ns", NONE);
    long[] second = rows.longs("second_token_ns", NONE);
    long[] end = rows.longs("end_ns", NONE);
    for (int row = 0; row < names.length; row++) {
      RunRequests variant = variants.computeIfAbsent(names[row], name -> new RunRequests());
      variant.sent = Math.min(variant.sent, sent[row]);
      if (states[row].equals("finished")) {
        variant.add(input[row], output[row], sent[row], first[row], second[row], end[row]);
      } else {
        variant.failures++;
      }
    }
  }

  private void add(long input, long output, long sentAt, long first, long secondAt, long end) {
    inputTokens.add(input);
    outputTokens.add(output);
    ttft.add(first - sentAt);
    latency.add(end - sentAt);
    if (output > 1) {
      double nanos = (double) (end - first) / (output - 1);
      second.add(secondAt - first);
      perToken.add(Double.doubleToRawLongBits(nanos));
      perSecond.add(Double.doubleToRawLongBits(1e9 / nanos));
    }
    ended = Math.max(ended, end);
  }

  LongColumn inputTokens() {
    return inputTokens;
  }

  LongColumn outputTokens() {
    return outputTokens;
  }

  /** Times to first token. */
  LongColumn ttft() {
    return ttft;
  }

  /** From the first to the second token, of requests with two or more. */
  LongColumn second() {
    return second;
  }

  /** Time per output token after the first, of requests with two or more: bits of doubles. */
  LongColumn perToken() {
    return perToken;
  }

  /** Output tokens after the first a second, of requests with two or more: bits of doubles. */
  LongColumn perSecond() {
    return perSecond;
  }

  /** From sending to last token. */
  LongColumn latency() {
    return latency;
  }

  int completed() {
    return latency.size();
  }

  /** Requests that were sent and not completed. */
  int failures() {
    return failures;
  }

  /** Seconds from the first sending to the last token. */
  double seconds() {
    return (ended - sent) / 1e9;
  }
}
