package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;

/**
 * What users were promised.
 *
 * @param ttftNanos longest time to first token
 * @param tokensPerSecond least output tokens per second of a request after its first token
 */
public record Slo(long ttftNanos, double tokensPerSecond) {
  /** Whether a completed request kept both promises. */
  public boolean kept(RunColumns columns, int row) {
    return inTime(columns, row) && fastEnough(columns, row);
  }

  /** Whether a completed request got its first token in time. */
  public boolean inTime(RunColumns columns, int row) {
    return columns.firstTokenNanos(row) - columns.arrivalNanos(row) <= ttftNanos;
  }

  /** Whether a completed request got its other tokens fast enough; a single token is. */
  public boolean fastEnough(RunColumns columns, int row) {
    double gaps = columns.outputTokens(row) - 1;
    return gaps * 1e9 >= tokensPerSecond * (columns.endNanos(row) - columns.firstTokenNanos(row));
  }
}
