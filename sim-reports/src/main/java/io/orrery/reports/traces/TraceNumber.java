package io.orrery.reports.traces;

import io.orrery.reports.chart.Axis;
import java.util.Arrays;
import java.util.Optional;

/** What is told of a trace by its distribution, in the order of all reports. */
public enum TraceNumber {
  /** Prompt tokens of a request. */
  INPUT_TOKENS("input_tokens", "input tokens", Axis.Unit.TOKENS),
  /** Generated tokens of a request. */
  OUTPUT_TOKENS("output_tokens", "output tokens", Axis.Unit.TOKENS),
  /** Requests of a session. */
  TURNS("turns", "turns of a session", Axis.Unit.COUNT),
  /** Tokens that a turn adds to the last one's prompt and output. */
  TURN_GROWTH("turn_growth_tokens", "new tokens of a turn", Axis.Unit.TOKENS),
  /** Tokens of a turn's prompt that the last one had. */
  RESENT("resent_tokens", "resent tokens of a turn", Axis.Unit.TOKENS),
  /** From a session's first start to its last, ns. */
  SESSION_TIME("session_s", "time of a session", Axis.Unit.SECONDS),
  /** From a root session's start to the next one's, ns. */
  INTER_ARRIVAL("inter_arrival_s", "between sessions", Axis.Unit.SECONDS),
  /** From a completion that called a tool to the next turn, ns. */
  TOOL_WAIT("tool_wait_s", "wait for a tool", Axis.Unit.SECONDS),
  /** From any other completion to the next turn, ns. */
  OTHER_WAIT("other_wait_s", "any other wait", Axis.Unit.SECONDS),
  /** Tokens of the distinct blocks of a session tree. */
  SESSION_DISTINCT("session_distinct_tokens", "distinct in a session", Axis.Unit.TOKENS),
  /** Requests that start in a second; only told where two traces are compared. */
  IN_A_SECOND("requests_in_a_second", "requests in a second", Axis.Unit.COUNT),
  /** Requests that start in a minute; only told where two traces are compared. */
  IN_A_MINUTE("requests_in_a_minute", "requests in a minute", Axis.Unit.COUNT);

  private static final double NANOS_PER_S = 1e9;

  private final String key;
  private final String label;
  private final Axis.Unit unit;

  TraceNumber(String key, String label, Axis.Unit unit) {
    this.key = key;
    this.label = label;
    this.unit = unit;
  }

  /** In JSON. */
  public String key() {
    return key;
  }

  /** In tables. */
  String label() {
    return label;
  }

  Axis.Unit unit() {
    return unit;
  }

  /** How many of the samples' units, tokens, requests or ns, are one of the reports'. */
  public double scale() {
    return unit == Axis.Unit.SECONDS ? NANOS_PER_S : 1;
  }

  /** The one of this key, if there is one. */
  public static Optional<TraceNumber> of(String key) {
    return Arrays.stream(values()).filter(number -> number.key.equals(key)).findFirst();
  }
}
