package io.orrery.traces;

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
    TraceColumns out = trace.columns().under(trace.provenance().noting("Shifted in time."));
    out.arrival = out.arrival.clone();
    for (int r = 0; r < out.arrival.length; r++) {
      if (out.arrival[r] != Trace.NO_TIME) {
        out.arrival[r] = checked(out.arrival[r] + nanos);
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
    out.edgeDelay = new long[in.edgeDelay.length];
    for (int e = 0; e < out.edgeDelay.length; e++) {
      long delay = scaled(trace.edgeDelayNanos(e), waits);
      out.edgeDelay[e] = trace.edgeTrigger(e) == EdgeTrigger.DISPATCH ? ~delay : delay;
    }
    out.arrival = arrivals(trace, out.edgeDelay, load, waits);
    return TraceRows.byStart(new Trace(out));
  }

  private static long[] arrivals(Trace trace, long[] delays, double load, double waits) {
    TraceColumns in = trace.columns();
    int[] ready = new int[trace.requestCount()];
    new EdgeTable.Grouped(in.edgeStart, in.edgeFrom, in.edgeDelay).onCycle(ready);
    long[] starts = StartTimes.of(trace);
    long[] arrivals = new long[ready.length];
    long[] moved = new long[ready.length];
    for (int r : ready) {
      int edge = latestEdge(trace, starts, r);
      if (edge >= 0) {
        moved[r] =
            moved[trace.edgeFrom(edge)]
                + EdgeTable.Grouped.delay(delays[edge])
                - trace.edgeDelayNanos(edge);
      } else {
        int root = trace.firstRequest(trace.rootSession(trace.session(r)));
        long inside = starts[r] - starts[root];
        long toRoot = trace.sharedClock() ? scaled(starts[root], 1 / load) : starts[root];
        moved[r] = toRoot + scaled(inside, waits) - starts[r];
      }
      arrivals[r] =
          trace.arrivalNanos(r) == Trace.NO_TIME
              ? Trace.NO_TIME
              : checked(Math.max(0, trace.arrivalNanos(r) + moved[r]));
    }
    return arrivals;
  }

  /** The edge to the request that starts last, -1 without edges. */
  private static int latestEdge(Trace trace, long[] starts, int r) {
    int latest = -1;
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (latest < 0
          || starts[trace.edgeFrom(e)] + trace.edgeDelayNanos(e)
              > starts[trace.edgeFrom(latest)] + trace.edgeDelayNanos(latest)) {
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
          "found a request at " + nanos / 1e9 + " s, expected 0 s to 73 years");
    }
    return nanos;
  }
}
