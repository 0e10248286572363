package io.orrery.traces.analysis;

import io.orrery.traces.Trace;
import java.util.Arrays;

/**
 * How many session trees, or requests, were there at once, by recorded times.
 *
 * @param mean over time
 * @param most at any time
 */
public record Concurrency(double mean, long most) {
  /** From the first start in each session tree to the last recorded end (or start). */
  public static Concurrency ofSessions(Trace trace) {
    long[] starts = Starts.of(trace);
    long[] first = new long[trace.sessionCount()];
    long[] end = new long[trace.sessionCount()];
    Arrays.fill(first, Long.MAX_VALUE);
    for (int r = 0; r < starts.length; r++) {
      int root = trace.rootSession(trace.session(r));
      first[root] = Math.min(first[root], starts[r]);
      end[root] = Math.max(end[root], starts[r] + Math.max(0, trace.recordedTotalNanos(r)));
    }
    Longs from = new Longs();
    Longs to = new Longs();
    for (int s = 0; s < first.length; s++) {
      if (trace.parentSession(s) < 0) {
        from.add(first[s]);
        to.add(end[s]);
      }
    }
    return of(from.toArray(), to.toArray());
  }

  /** Requests of which it is recorded how long they took. */
  public static Concurrency ofRequests(Trace trace) {
    long[] starts = Starts.of(trace);
    Longs from = new Longs();
    Longs to = new Longs();
    for (int r = 0; r < starts.length; r++) {
      if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
        from.add(starts[r]);
        to.add(starts[r] + trace.recordedTotalNanos(r));
      }
    }
    return of(from.toArray(), to.toArray());
  }

  /** Whoever ends when another begins was there with it. */
  static Concurrency of(long[] from, long[] to) {
    if (from.length == 0) {
      return new Concurrency(Double.NaN, 0);
    }
    double time = 0;
    for (int i = 0; i < from.length; i++) {
      time += to[i] - from[i];
    }
    Arrays.sort(from);
    Arrays.sort(to);
    long most = 0;
    int ended = 0;
    for (int i = 0; i < from.length; i++) {
      while (to[ended] < from[i]) {
        ended++;
      }
      most = Math.max(most, i + 1L - ended);
    }
    double span = Math.max(1, to[to.length - 1] - from[0]);
    return new Concurrency(time / span, most);
  }
}
