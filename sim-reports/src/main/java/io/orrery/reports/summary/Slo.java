package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;

/**
 * What users were promised.
 *
 * @param ttftNanos longest time to first token
 * @param tokensPerSecond least output tokens per second of a request after its first token
 */
public record Slo(long ttftNanos, double tokensPerSecond) {
  /** Whether a completed request kept both promises; one output token keeps the second. */
  public boolean kept(RunColumns columns, int row) {
    long first = columns.firstTokenNanos(row);
    double gaps = columns.outputTokens(row) - 1;
    return first - columns.arrivalNanos(row) <= ttftNanos
        && gaps * 1e9 >= tokensPerSecond * (columns.endNanos(row) - first);
  }
}
