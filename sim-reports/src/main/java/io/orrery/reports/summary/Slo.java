package io.orrery.reports.summary;

/**
 * What users were promised.
 *
 * @param ttftNanos longest time to first token
 * @param tokensPerSecond least output tokens per second of a request after its first token
 */
public record Slo(long ttftNanos, double tokensPerSecond) {
  /** Whether a completed request kept both promises. */
  public boolean kept(RequestRow row) {
    return inTime(row) && fastEnough(row);
  }

  /** Whether a completed request got its first token in time. */
  public boolean inTime(RequestRow row) {
    return row.ttftNanos() <= ttftNanos;
  }

  /** Whether a completed request got its other tokens fast enough; a single token is. */
  public boolean fastEnough(RequestRow row) {
    double gaps = row.outputTokens() - 1;
    return gaps * 1e9 >= tokensPerSecond * (row.endNanos() - row.firstTokenNanos());
  }
}
