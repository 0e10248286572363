package io.orrery.scenarios.calibration;

import io.orrery.traces.Trace;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Measured times of the requests of a trace, in its order; NaN where a request has none.
 *
 * @param ttftMillis time to first token, from the arrival, or from the engine's queue where
 *     arrivals are unknown
 * @param endToEndMillis time to the last token, likewise
 * @param fromQueue whether times begin in the engine's queue
 */
public record RequestTimes(double[] ttftMillis, double[] endToEndMillis, boolean fromQueue) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** What the records of a trace say about themselves. */
  public static RequestTimes recorded(Trace trace) {
    int n = trace.requestCount();
    double[] ttft = new double[n];
    double[] total = new double[n];
    for (int r = 0; r < n; r++) {
      ttft[r] = millis(trace.recordedTtftNanos(r));
      total[r] = millis(trace.recordedTotalNanos(r));
    }
    return new RequestTimes(ttft, total, false);
  }

  private static double millis(long nanos) {
    return nanos < 0 ? Double.NaN : nanos / NANOS_PER_MILLI;
  }

  /** How many requests have both times. */
  public int known() {
    return (int) IntStream.range(0, ttftMillis.length).filter(this::isKnown).count();
  }

  boolean isKnown(int r) {
    return ttftMillis[r] > 0 && endToEndMillis[r] >= ttftMillis[r];
  }

  /** Time per output token after the first of a request, NaN where it has no second. */
  double tpotMillis(int r, int outputTokens) {
    return outputTokens > 1 ? (endToEndMillis[r] - ttftMillis[r]) / (outputTokens - 1) : Double.NaN;
  }

  @Override
  public String toString() {
    return "times of " + Arrays.stream(ttftMillis).filter(t -> t > 0).count() + " requests";
  }
}
