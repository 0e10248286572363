package io.orrery.traces.analysis;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;

/**
 * When requests started: as recorded; where only waits are known, as if each request took as long
 * as it is recorded to have taken, or no time.
 */
final class Starts {
  private Starts() {}

  static long[] of(Trace trace) {
    long[] starts = new long[trace.requestCount()];
    boolean[] done = new boolean[starts.length];
    int[] stack = new int[starts.length];
    for (int r = 0; r < starts.length; r++) {
      int depth = 0;
      stack[depth++] = r;
      while (depth > 0) {
        int top = stack[depth - 1];
        int open = done[top] ? -1 : firstOpen(trace, top, done);
        if (open >= 0) {
          stack[depth++] = open;
        } else {
          if (!done[top]) {
            starts[top] = start(trace, top, starts);
            done[top] = true;
          }
          depth--;
        }
      }
    }
    return starts;
  }

  private static int firstOpen(Trace trace, int r, boolean[] done) {
    if (trace.arrivalNanos(r) == Trace.NO_TIME) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (!done[trace.edgeFrom(e)]) {
          return trace.edgeFrom(e);
        }
      }
    }
    return -1;
  }

  private static long start(Trace trace, int r, long[] starts) {
    if (trace.arrivalNanos(r) != Trace.NO_TIME) {
      return trace.arrivalNanos(r);
    }
    long start = 0;
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      int from = trace.edgeFrom(e);
      boolean afterEnd = trace.edgeTrigger(e) == EdgeTrigger.COMPLETION;
      long took = afterEnd ? Math.max(0, trace.recordedTotalNanos(from)) : 0;
      start = Math.max(start, starts[from] + took + trace.edgeDelayNanos(e));
    }
    return start;
  }
}
