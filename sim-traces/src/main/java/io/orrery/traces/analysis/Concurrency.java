package io.orrery.traces.analysis;

import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.LongColumn;

/**
 * How many session trees, or requests, were there at once, by recorded times.
 *
 * @param mean over time
 * @param most at any time
 */
public record Concurrency(double mean, long most) {
  /** From the first start in each session tree to the last recorded end (or start). */
  public static Concurrency ofSessions(Trace trace) {
    LongColumn starts = Starts.of(trace);
    LongColumn first = LongColumn.filled(trace.sessionCount(), Long.MAX_VALUE);
    LongColumn end = LongColumn.filled(trace.sessionCount(), 0);
    for (int r = 0; r < starts.size(); r++) {
      int root = trace.rootSession(trace.session(r));
      long start = starts.get(r);
      first.set(root, Math.min(first.get(root), start));
      end.set(root, Math.max(end.get(root), start + Math.max(0, trace.recordedTotalNanos(r))));
    }
    LongColumn from = new LongColumn();
    LongColumn to = new LongColumn();
    for (int s = 0; s < first.size(); s++) {
      if (trace.parentSession(s) < 0) {
        from.add(first.get(s));
        to.add(end.get(s));
      }
    }
    starts.release();
    return of(from, to);
  }

  /** Requests of which it is recorded how long they took. */
  public static Concurrency ofRequests(Trace trace) {
    LongColumn starts = Starts.of(trace);
    LongColumn from = new LongColumn();
    LongColumn to = new LongColumn();
    for (int r = 0; r < starts.size(); r++) {
      if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
        from.add(starts.get(r));
        to.add(starts.get(r) + trace.recordedTotalNanos(r));
      }
    }
    starts.release();
    return of(from, to);
  }

  /** Whoever ends when another begins was there with it. */
  static Concurrency of(LongColumn from, LongColumn to) {
    int count = from.size();
    if (count == 0) {
      return new Concurrency(Double.NaN, 0);
    }
    ExactSum time = new ExactSum();
    for (int i = 0; i < count; i++) {
      time.add(to.get(i) - from.get(i));
    }
    LongColumn starts = StableOrder.sorted(from);
    LongColumn ends = StableOrder.sorted(to);
    long most = 0;
    int ended = 0;
    for (int i = 0; i < count; i++) {
      while (ends.get(ended) < starts.get(i)) {
        ended++;
      }
      most = Math.max(most, i + 1L - ended);
    }
    double span = Math.max(1, ends.last() - starts.get(0));
    return new Concurrency(time.value() / span, most);
  }
}
