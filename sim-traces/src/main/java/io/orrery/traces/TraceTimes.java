package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Locale;

/** Traces at other times: later, denser, with shorter waits. */
public final class TraceTimes {
  private TraceTimes() {}

  /**
   * All recorded times moved by so many ns.
   *
   * @throws IllegalArgumentException where a request would start before 0 or beyond the clock, or
   *     where the sessions share no clock that could be moved
   */
  public static Trace shifted(Trace trace, long nanos) {
    if (!trace.sharedClock()) {
      throw new IllegalArgumentException(
          "found sessions that each start at 0, expected a trace whose sessions share a clock");
    }
    if (Math.abs(nanos) > TraceAssembly.LATEST_START) {
      throw new IllegalArgumentException(
          "found a shift by " + seconds(nanos) + ", expected at most 73 years (640,511 h)");
    }
    TraceColumns out = trace.columns().under(trace.provenance().noting("Shifted in time."));
    out.arrival = out.arrival.copy();
    for (int r = 0; r < out.arrival.size(); r++) {
      if (out.arrival.get(r) != Trace.NO_TIME) {
        out.arrival.set(r, checked(out.arrival.get(r) + nanos));
      }
    }
    return new Trace(out);
  }

  /**
   * Root sessions start {@code load} times as fast one after the other, and every wait inside a
   * session tree is {@code waits} times as long. Inside a tree, recorded starts move along with the
   * waits before them; recorded durations stay.
   *
   * @param load above 0: 2 for twice the load
   * @param waits at least 0: 0.5 for half the waits
   */
  public static Trace scaled(Trace trace, double load, double waits) {
    TraceColumns in = trace.columns();
    TraceColumns out =
        in.under(trace.provenance().noting("Scaled: load × " + load + ", waits × " + waits + "."));
    out.edgeDelay = LongColumn.filled(in.edgeDelay.size(), 0);
    for (int e = 0; e < out.edgeDelay.size(); e++) {
      long delay = scaled(trace.edgeDelayNanos(e), waits);
      out.edgeDelay.set(e, trace.edgeTrigger(e) == EdgeTrigger.DISPATCH ? ~delay : delay);
    }
    out.arrival = arrivals(trace, out.edgeDelay, load, waits);
    return TraceRows.byStart(new Trace(out));
  }

  private static LongColumn arrivals(Trace trace, LongColumn delays, double load, double waits) {
    TraceColumns in = trace.columns();
    IntColumn ready = new IntColumn();
    new EdgeTable.Grouped(in.edgeStart, in.edgeFrom, in.edgeDelay).onCycle(ready);
    LongColumn starts = StartTimes.of(trace);
    LongColumn arrivals = LongColumn.filled(ready.size(), Trace.NO_TIME);
    LongColumn moved = LongColumn.filled(ready.size(), 0);
    for (int i = 0; i < ready.size(); i++) {
      int r = ready.get(i);
      int edge = latestEdge(trace, starts, r);
      long by;
      if (edge >= 0) {
        by =
            moved.get(trace.edgeFrom(edge))
                + EdgeTable.Grouped.delay(delays.get(edge))
                - trace.edgeDelayNanos(edge);
      } else {
        int root = trace.firstRequest(trace.rootSession(trace.session(r)));
        long rootStart = starts.get(root);
        long inside = starts.get(r) - rootStart;
        long toRoot = trace.sharedClock() ? scaled(rootStart, 1 / load) : rootStart;
        by = toRoot + scaled(inside, waits) - starts.get(r);
      }
      moved.set(r, by);
      if (trace.arrivalNanos(r) != Trace.NO_TIME) {
        arrivals.set(r, checked(Math.max(0, trace.arrivalNanos(r) + by)));
      }
    }
    ready.release();
    starts.release();
    moved.release();
    return arrivals;
  }

  /** The edge to the request that starts last, -1 without edges. */
  private static int latestEdge(Trace trace, LongColumn starts, int r) {
    int latest = -1;
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (latest < 0
          || starts.get(trace.edgeFrom(e)) + trace.edgeDelayNanos(e)
              > starts.get(trace.edgeFrom(latest)) + trace.edgeDelayNanos(latest)) {
        latest = e;
      }
    }
    return latest;
  }

  private static long scaled(long nanos, double factor) {
    double scaled = nanos * factor;
    if (!(Math.abs(scaled) <= TraceAssembly.LATEST_START)) {
      throw new IllegalArgumentException(
          "found a time of " + scaled / 1e9 + " s, expected at most 73 years");
    }
    return Math.round(scaled);
  }

  private static long checked(long nanos) {
    if (nanos < 0 || nanos > TraceAssembly.LATEST_START) {
      throw new IllegalArgumentException(
          "found a request at " + seconds(nanos) + ", expected 0 s to 73 years (640,511 h)");
    }
    return nanos;
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%,d s", Math.floorDiv(nanos, 1_000_000_000L));
  }
}
