package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request in the making. */
final class SyntheticCall {
  private static final long MOST_NANOS = Long.MAX_VALUE / 2;

  final SyntheticSession session;
  final boolean first;
  int input;
  int output;
  int blocks;
  int[] promptRuns = {};
  int[] completionRuns = {};
  long totalNanos = Trace.NO_TIME;
  boolean callsTool;

  /** When it starts if all takes as long as drawn, ns from the trace's beginning. */
  long start;

  /** What it waits for, with the wait: dispatches have a negative one, ~wait. */
  final List<SyntheticCall> waitFor = new ArrayList<>();

  final List<Long> waits = new ArrayList<>();

  /** The turn after it. */
  @Nullable SyntheticCall next;

  /** Place in its tree: those that it waits for stand before it. */
  int order;

  /** Its row, once it has one. */
  int row = -1;

  SyntheticCall(SyntheticSession session, boolean first) {
    this.session = session;
    this.first = first;
  }

  /**
   * A time, ns.
   *
   * @throws TraceException if it is beyond what can be counted with waits behind it
   */
  static long onClock(long nanos) {
    if (nanos > MOST_NANOS) {
      throw new TraceException(
          null,
          0,
          "starts",
          "times beyond the clock",
          "at most 146 years: more often, or less waiting");
    }
    return nanos;
  }

  long end() {
    return start + Math.max(0, totalNanos);
  }

  void after(SyntheticCall call, long wait) {
    if (call.session == session) {
      call.next = this;
    }
    waitFor.add(call);
    waits.add(wait);
  }
}
