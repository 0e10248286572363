package io.orrery.reports.export;

import io.orrery.traces.columns.LongColumn;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * Durations as the percentile distribution that HdrHistogram's plotter reads ({@code .hgrm}), in
 * milliseconds, three significant digits.
 */
final class HdrPercentiles {
  private static final int DIGITS = 3;
  private static final int TICKS_PER_HALF = 5;
  private static final double MILLIS = 1e6;

  private HdrPercentiles() {}

  /**
   * @param nanos of a value of the column
   */
  static String of(LongColumn values, LongUnaryOperator nanos) {
    Histogram histogram = new Histogram(DIGITS);
    for (int i = 0; i < values.size(); i++) {
      histogram.recordValue(nanos.applyAsLong(values.get(i)));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      histogram.outputPercentileDistribution(out, TICKS_PER_HALF, MILLIS);
    }
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
