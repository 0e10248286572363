package io.orrery.scenarios.fidelity;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;

/**
 * What serving took: means over requests, as benchmarks report them.
 *
 * @param ttftMillis time to first token
 * @param tpotMillis time per output token after the first
 * @param endToEndMillis from the client's request to the last token
 * @param tokensPerSecond output tokens per second
 */
public record Told(
    double ttftMillis, double tpotMillis, double endToEndMillis, double tokensPerSecond) {
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The means over the requests of a run.
   *
   * @param from first row, from 0
   * @param to row behind the last one
   */
  public static Told of(RunResult result, int from, int to) {
    RunColumns columns = result.columns();
    double ttft = 0;
    double tpot = 0;
    double endToEnd = 0;
    long tokens = 0;
    long begin = Long.MAX_VALUE;
    long end = 0;
    for (int row = from; row < to; row++) {
      long arrival = columns.arrivalNanos(row);
      long first = columns.firstTokenNanos(row);
      long last = columns.endNanos(row);
      int outputs = columns.outputTokens(row);
      ttft += first - arrival;
      endToEnd += last - arrival;
      tpot += outputs > 1 ? (double) (last - first) / (outputs - 1) : 0;
      tokens += outputs;
      begin = Math.min(begin, arrival);
      end = Math.max(end, last);
    }
    double requests = (to - from) * NANOS_PER_MILLI;
    return new Told(
        ttft / requests, tpot / requests, endToEnd / requests, tokens * 1e9 / (end - begin));
  }

  /**
   * What a closed loop of these times per request and token gives by Little's law: requests in
   * flight = rate × time in the system.
   *
   * @param outputTokens mean output length
   */
  public static Told closedLoop(
      double ttftMillis, double tpotMillis, double outputTokens, int concurrency) {
    double endToEnd = ttftMillis + (outputTokens - 1) * tpotMillis;
    return new Told(ttftMillis, tpotMillis, endToEnd, concurrency * outputTokens * 1e3 / endToEnd);
  }

  /** The same with the requests of one kind of number taken from the closed loop's law. */
  Told inClosedLoop(double outputTokens, int concurrency) {
    return closedLoop(ttftMillis, tpotMillis, outputTokens, concurrency);
  }
}
