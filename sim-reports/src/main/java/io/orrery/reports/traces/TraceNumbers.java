package io.orrery.reports.traces;

import io.orrery.reports.chart.Axis;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.Marginals;
import io.orrery.traces.analysis.TraceAnalysis;
import io.orrery.traces.columns.LongColumn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The distributions of a trace by name, in the order of all its reports. */
final class TraceNumbers {
  /**
   * A distribution.
   *
   * @param samples in tokens, requests or ns
   */
  record Row(TraceNumber number, Distribution numbers, LongColumn samples) {
    String key() {
      return number.key();
    }

    String label() {
      return number.label();
    }

    Axis.Unit unit() {
      return number.unit();
    }
  }

  private TraceNumbers() {}

  /** Those that have a value. */
  static List<Row> rows(TraceAnalysis analysis) {
    Marginals samples = analysis.marginals();
    BlockReuse reuse = analysis.reuse();
    List<Row> rows = new ArrayList<>();
    add(rows, TraceNumber.INPUT_TOKENS, samples.inputTokens());
    add(rows, TraceNumber.OUTPUT_TOKENS, samples.outputTokens());
    add(rows, TraceNumber.TURNS, samples.turns());
    add(rows, TraceNumber.TURN_GROWTH, samples.growth());
    add(rows, TraceNumber.RESENT, samples.resent());
    if (samples.turns().size() < samples.inputTokens().size()) {
      add(rows, TraceNumber.SESSION_TIME, samples.sessionSpans());
    }
    add(rows, TraceNumber.INTER_ARRIVAL, samples.gaps());
    add(rows, TraceNumber.TOOL_WAIT, samples.toolWaits());
    add(rows, TraceNumber.OTHER_WAIT, samples.otherWaits());
    if (reuse != null) {
      add(rows, TraceNumber.SESSION_DISTINCT, reuse.sessionTokens());
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

  /** Adds a distribution if there is one. */
  static void add(List<Row> rows, TraceNumber number, LongColumn values) {
    if (values.size() > 0) {
      rows.add(new Row(number, Distribution.of(values).in(number.scale()), values));
    }
  }
}
