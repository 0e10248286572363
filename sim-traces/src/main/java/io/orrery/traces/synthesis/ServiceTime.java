package io.orrery.traces.synthesis;

/** How long requests took when they were recorded: first token, then a time per token. */
final class ServiceTime {
  private final QuantileCurve firstToken;
  private final QuantileCurve perToken;

  ServiceTime(SessionStatistics statistics) {
    firstToken = statistics.curve("firstTokenTime");
    perToken = statistics.curve("tokenTime");
  }

  long drawMillis(int outputTokens, RandomStream stream) {
    double first = firstToken.draw(stream);
    return millis(first + outputTokens * perToken.draw(stream));
  }

  /** Seconds in ms, rounded to 10 ms: the precision of the files. */
  static long millis(double seconds) {
    return 10 * (long) Math.rint(seconds * 100);
  }
}
