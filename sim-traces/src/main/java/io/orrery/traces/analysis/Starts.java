package io.orrery.traces.analysis;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.BitSet;

/**
 * When requests started: as recorded; where only waits are known, as if each request took as long
 * as it is recorded to have taken, or no time.
 */
public final class Starts {
  private final Trace trace;
  private final LongColumn starts;
  private final BitSet done = new BitSet();

  private Starts(Trace trace) {
    this.trace = trace;
    starts = LongColumn.filled(trace.requestCount(), 0);
  }

  /** ns of each request's start, on its trace's or root session's clock. */
  public static LongColumn of(Trace trace) {
    return new Starts(trace).all();
  }

  private LongColumn all() {
    IntColumn stack = new IntColumn();
    for (int r = 0; r < starts.size(); r++) {
      stack.add(r);
      while (stack.size() > 0) {
        int top = stack.last();
        int open = done.get(top) ? -1 : firstOpen(top);
        if (open >= 0) {
          stack.add(open);
        } else {
          if (!done.get(top)) {
            starts.set(top, start(top));
            done.set(top);
          }
          stack.truncate(stack.size() - 1);
        }
      }
    }
    return starts;
  }

  private int firstOpen(int r) {
    if (trace.arrivalNanos(r) == Trace.NO_TIME) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (!done.get(trace.edgeFrom(e))) {
          return trace.edgeFrom(e);
        }
      }
    }
    return -1;
  }

  private long start(int r) {
    if (trace.arrivalNanos(r) != Trace.NO_TIME) {
      return trace.arrivalNanos(r);
    }
    long start = 0;
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      int from = trace.edgeFrom(e);
      boolean afterEnd = trace.edgeTrigger(e) == EdgeTrigger.COMPLETION;
      long took = afterEnd ? Math.max(0, trace.recordedTotalNanos(from)) : 0;
      start = Math.max(start, starts.get(from) + took + trace.edgeDelayNanos(e));
    }
    return start;
  }
}
