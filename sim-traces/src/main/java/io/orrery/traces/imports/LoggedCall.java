package io.orrery.traces.imports;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of a model, as a log has it. Mutable while the log is read. */
final class LoggedCall {
  /** Equal for copies of the call in other files. */
  final String key;

  /** File and line that tell of it, for whoever reads the logs. */
  final String place;

  /** When it was sent, Unix ms. */
  long startMillis;

  /** When its last token had come, Unix ms; its start where {@link #endOpen}. */
  long endMillis;

  /** Whether nobody logged an end. */
  boolean endOpen;

  /** All prompt tokens, those out of a cache included. */
  long input;

  /** Prompt tokens out of a cache. */
  long cached;

  long output;
  @Nullable String model;

  /** Whether a sub-agent sent it. */
  boolean ofSubAgent;

  /** Whether its prompt is a text of its own, and begins as no other first prompt. */
  boolean apart;

  /** Whether the times are those of several calls, so that nobody knows how long this one took. */
  boolean timesShared;

  /** Classes of the tools that the output calls. */
  final List<String> tools = new ArrayList<>();

  /** The call whose prompt and output this one's prompt continues, null for a new context. */
  @Nullable LoggedCall basis;

  /** The prompt's blocks as pairs of first id and length, once they are known. */
  long[] runs = {};

  LoggedCall(String key, String place) {
    this.key = key;
    this.place = place;
  }

  void times(long start, long end) {
    startMillis = Math.min(start, end);
    endMillis = end;
  }

  boolean usesTokens() {
    return input > 0;
  }
}
