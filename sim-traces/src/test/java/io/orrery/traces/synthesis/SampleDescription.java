package io.orrery.traces.synthesis;

import java.util.Locale;

/** The generated part of {@code traces/README.md}. */
final class SampleDescription {
  private SampleDescription() {}

  static String text() {
    SessionMeasurements unlimited = CorpusComparison.withoutLimit();
    SessionMeasurements limited = CorpusComparison.withinLimit();
    SessionMeasurements sample = SessionMeasurements.of(QuickstartTrace.options());

    StringBuilder text = new StringBuilder();
    text.append("\n| | corpus | whole sessions | within 196,608 tokens | quickstart |\n");
    text.append("|---|--:|--:|--:|--:|\n");
    count(text, "sessions", 710, unlimited.sessions, limited.sessions, sample.sessions);
    count(text, "requests", 48_658, unlimited.requests(), limited.requests(), sample.requests());
    count(
        text,
        "requests of sub-agents",
        -1,
        unlimited.requestsOfSubAgents,
        limited.requestsOfSubAgents,
        sample.requestsOfSubAgents);
    for (CorpusComparison.Row row : CorpusComparison.ROWS) {
      row(
          text,
          row.name(),
          row.text(row.corpus()),
          row.text(row.measure().applyAsDouble(unlimited)),
          row.text(row.measure().applyAsDouble(limited)),
          row.text(row.measure().applyAsDouble(sample)));
    }
    count(
        text,
        "longest request (input + output), tokens",
        -1,
        unlimited.longestRequest,
        limited.longestRequest,
        sample.longestRequest);
    return text.append('\n').toString();
  }

  private static void count(
      StringBuilder text, String name, int corpus, int unlimited, int limited, int sample) {
    String known = corpus < 0 ? "" : number(corpus);
    row(text, name, known, number(unlimited), number(limited), number(sample));
  }

  private static String number(int value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
