package io.orrery.traces.synthesis;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The statistics of the recorded corpus beside those of what was synthesized. */
final class CorpusComparison {
  /**
   * One number.
   *
   * @param corpus its value in the corpus
   * @param tolerance allowed relative difference for whole sessions without a context limit
   * @param decimals printed
   */
  record Row(
      String name,
      double corpus,
      double tolerance,
      int decimals,
      ToDoubleFunction<SessionMeasurements> measure) {
    boolean holds(SessionMeasurements measured) {
      return Math.abs(measure.applyAsDouble(measured) / corpus - 1) <= tolerance;
    }

    String deviation(SessionMeasurements measured) {
      String found = text(measure.applyAsDouble(measured));
      return name + ": found " + found + ", expected about " + text(corpus);
    }

    String text(double value) {
      return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
  }

  private static final AgentTraceOptions WHOLE_SESSIONS =
      AgentTraceOptions.wholeSessions(QuickstartTrace.options().seed(), 2000);

  private CorpusComparison() {}

  /** Whole sessions with contexts as long as they were recorded. */
  static SessionMeasurements withoutLimit() {
    return SessionMeasurements.of(
        WHOLE_SESSIONS.withContextLimit(AgentTraceOptions.NO_CONTEXT_LIMIT));
  }

  /** The same sessions within the default context limit. */
  static SessionMeasurements withinLimit() {
    return SessionMeasurements.of(WHOLE_SESSIONS);
  }

  static final List<Row> ROWS =
      List.of(
          requests("requests per session, p10", 7, 0.15, 0.1),
          requests("requests per session, p50", 45, 0.1, 0.5),
          requests("requests per session, p90", 155, 0.1, 0.9),
          turn("requests per user turn, p50", 6, 0.2, 0.5),
          turn("requests per user turn, p90", 39, 0.15, 0.9),
          input("input tokens, p10", 43_308, 0.12, 0.1),
          input("input tokens, p50", 104_644, 0.05, 0.5),
          input("input tokens, p90", 235_882, 0.25, 0.9),
          output("output tokens, p10", 105, 0.05, 0.1),
          output("output tokens, p50", 216, 0.05, 0.5),
          output("output tokens, p90", 899, 0.05, 0.9),
          output("output tokens, p99", 3663, 0.05, 0.99),
          uncached("input tokens not seen before in the session, p50", 720, 0.05, 0.5),
          uncached("input tokens not seen before in the session, p90", 4662, 0.05, 0.9),
          uncached("input tokens not seen before in the session, p99", 94_756, 0.1, 0.99),
          new Row(
              "share of the input tokens in blocks seen before in the session, %",
              96.36, 0.005, 1, m -> 100 * m.reusedShare()),
          new Row(
              "steps that keep less than half of the prefix, %",
              1.76, 0.15, 2, m -> 100 * m.rewriteShare()),
          toolWait("wait after a tool call, s, p10", 4, 0.05, 0.1),
          toolWait("wait after a tool call, s, p50", 9, 0.05, 0.5),
          toolWait("wait after a tool call, s, p90", 71, 0.05, 0.9),
          toolWait("wait after a tool call, s, p99", 611, 0.05, 0.99),
          userWait("wait after an answer, s, p10", 16, 0.1, 0.1),
          userWait("wait after an answer, s, p50", 132, 0.1, 0.5),
          userWait("wait after an answer, s, p90", 1930, 0.1, 0.9),
          userWait("wait after an answer, s, p99", 15_050, 0.2, 0.99),
          service("time of a request, s, p50", 6.1, 0.05, 0.5),
          service("time of a request, s, p90", 18.4, 0.15, 0.9),
          service("time of a request, s, p99", 60.7, 0.2, 0.99),
          new Row(
              "sessions with sub-agents, %",
              2.4, 0.5, 1, m -> 100.0 * m.sessionsWithSubAgents / m.sessions),
          new Row(
              "sub-agents in such a session",
              3.7,
              0.1,
              1,
              m -> (double) m.subAgents / m.sessionsWithSubAgents),
          new Row(
              "sub-agents in the background, %",
              6.3, 0.5, 1, m -> 100.0 * m.backgroundSubAgents / m.subAgents));

  private static Row requests(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.requestsPerSession.quantile(share));
  }

  private static Row turn(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.requestsPerUserTurn.quantile(share));
  }

  private static Row input(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.inputTokens.quantile(share));
  }

  private static Row output(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.outputTokens.quantile(share));
  }

  private static Row uncached(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.uncachedTokens.quantile(share));
  }

  private static Row toolWait(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.toolWaitSeconds.quantile(share));
  }

  private static Row userWait(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 0, m -> m.userWaitSeconds.quantile(share));
  }

  private static Row service(String name, double corpus, double tolerance, double share) {
    return new Row(name, corpus, tolerance, 1, m -> m.apiSeconds.quantile(share));
  }
}
