package io.orrery.reports.traces;

import io.orrery.reports.chart.Axis;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.Marginals;
import io.orrery.traces.analysis.TraceAnalysis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The distributions of a trace by name, in the order of all its reports. */
final class TraceNumbers {
  private static final double NANOS_PER_S = 1e9;

  /**
   * A distribution.
   *
   * @param key in JSON
   * @param unit of its numbers
   * @param samples in tokens, requests or ns
   */
  record Row(String key, String label, Axis.Unit unit, Distribution numbers, long[] samples) {}

  private TraceNumbers() {}

  /** Those that have a value. */
  static List<Row> rows(TraceAnalysis analysis) {
    Marginals samples = analysis.marginals();
    List<Row> rows = new ArrayList<>();
    tokens(rows, "input_tokens", "input tokens", samples.inputTokens());
    tokens(rows, "output_tokens", "output tokens", samples.outputTokens());
    add(rows, "turns", "turns of a session", Axis.Unit.COUNT, samples.turns(), 1);
    tokens(rows, "turn_growth_tokens", "new tokens of a turn", samples.growth());
    tokens(rows, "resent_tokens", "resent tokens of a turn", samples.resent());
    if (samples.turns().length < samples.inputTokens().length) {
      seconds(rows, "session_s", "time of a session", samples.sessionSpans());
    }
    seconds(rows, "inter_arrival_s", "between sessions", samples.gaps());
    seconds(rows, "tool_wait_s", "wait for a tool", samples.toolWaits());
    seconds(rows, "other_wait_s", "any other wait", samples.otherWaits());
    BlockReuse reuse = analysis.reuse();
    if (reuse != null) {
      tokens(rows, "session_distinct_tokens", "distinct in a session", reuse.sessionTokens());
    }
    return rows;
  }

  /** A time as {@code 5 min}; {@code ever} for all time. */
  static String text(Duration time) {
    if (time.toDays() > 10_000) {
      return "ever";
    }
    long seconds = time.toSeconds();
    if (seconds % 3600 == 0) {
      return seconds / 3600 + " h";
    }
    return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }

  private static void tokens(List<Row> rows, String key, String label, long[] values) {
    add(rows, key, label, Axis.Unit.TOKENS, values, 1);
  }

  private static void seconds(List<Row> rows, String key, String label, long[] nanos) {
    add(rows, key, label, Axis.Unit.SECONDS, nanos, NANOS_PER_S);
  }

  private static void add(
      List<Row> rows, String key, String label, Axis.Unit unit, long[] values, double scale) {
    if (values.length > 0) {
      rows.add(new Row(key, label, unit, Distribution.of(values).in(scale), values));
    }
  }
}
