package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/** What a record says about a request, before the request is opened. */
final class RequestDraft {
  static final int NONE = -1;

  int input;
  int output;
  int cached;
  int priority;

  /** Recorded start; {@link Trace#NO_TIME} where there is none, as for all times here. */
  long arrival;

  /** Recorded end on the same clock. */
  long end;

  long ttft;
  long total;

  /** Recorded wait after the turn before it. */
  long wait;

  @Nullable String session;
  @Nullable String parent;
  @Nullable String request;
  @Nullable String model;
  @Nullable String adapter;
  @Nullable String worker;
  @Nullable String finishReason;
  final ToolNames tools = new ToolNames();

  RequestDraft() {
    clear();
  }

  void clear() {
    input = NONE;
    output = NONE;
    cached = NONE;
    priority = 0;
    arrival = Trace.NO_TIME;
    end = Trace.NO_TIME;
    ttft = Trace.NO_TIME;
    total = Trace.NO_TIME;
    wait = Trace.NO_TIME;
    session = null;
    parent = null;
    request = null;
    model = null;
    adapter = null;
    worker = null;
    finishReason = null;
    tools.clear();
  }

  /** Takes the time from start to end for the total where none is written. */
  void totalUntilEnd() {
    if (total == Trace.NO_TIME && end != Trace.NO_TIME && end >= arrival) {
      total = end - arrival;
    }
  }

  /** The recorded end: as written, else start + total. */
  long knownEnd() {
    if (end != Trace.NO_TIME && end >= arrival) {
      return end;
    }
    return total == Trace.NO_TIME || arrival == Trace.NO_TIME
        ? Trace.NO_TIME
        : Math.min(Decimals.MAX_NANOS, arrival + total);
  }
}
