package io.orrery.engine.cluster;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.ClosedLoop;
import io.orrery.engine.DispatchSettings.Lanes;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.clock.EventQueue;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests: at recorded times, in closed loops, or in lanes. A tree is a root session with
 * all its descendants; it starts as a whole, and its requests follow the trace's edges.
 */
final class Workload {
  private final EventQueue queue;
  private final Starts starts;

  /** Null where requests are sent at their own times, whatever becomes of others. */
  private final @Nullable SessionFlow sessions;

  /** Null unless sessions start when lanes become free. */
  private final @Nullable Lanes lanes;

  private final int trees;
  private long nextTree;

  /**
   * @param leftOut hears of rows that will never be sent
   */
  Workload(
      Trace trace,
      DispatchSettings dispatch,
      long seed,
      EventQueue queue,
      RunColumns columns,
      IntConsumer leftOut) {
    this.queue = queue;
    lanes = dispatch instanceof Lanes some ? some : null;
    if (dispatch instanceof Timestamps timestamps) {
      sessions = null;
      trees = 0;
      starts = Starts.ofRequests(trace, timestamps, seed);
      return;
    }
    SessionTrees all = new SessionTrees(trace);
    trees = all.count();
    boolean randomStart = lanes != null && lanes.randomStart();
    sessions = new SessionFlow(trace, all, randomStart, seed, queue, columns, leftOut);
    if (dispatch instanceof ClosedLoop closedLoop) {
      starts = Starts.ofTrees(trace, all, closedLoop.arrivals(), seed);
    } else {
      Lanes some = (Lanes) dispatch;
      starts = Starts.atOnce(some.recycle() ? some.count() : Math.min(some.count(), trees));
    }
  }

  /** When something starts by itself next; {@link Long#MAX_VALUE} if nothing does. */
  long nextStart() {
    return starts.nextNanos();
  }

  /**
   * Starts everything that starts by itself at {@code t}; the queue must have begun that instant.
   */
  void startDue(long t) {
    while (starts.nextNanos() == t) {
      int number = starts.poll();
      if (sessions == null) {
        queue.add(t, Phase.DISPATCH, number);
      } else if (lanes != null) {
        startNextTree(lanes, sessions, t);
      } else {
        sessions.startTree(0, number, t);
      }
    }
  }

  /** Whether the request is never sent because its session starts in the middle. */
  boolean leftOut(int row) {
    return sessions != null && sessions.leftOut(row);
  }

  /** A request has been sent at {@code t}. */
  void dispatched(int row, long t) {
    if (sessions != null) {
      sessions.trigger(row, t, EdgeTrigger.DISPATCH);
    }
  }

  /** A request has ended at {@code t}, however. */
  void ended(int row, long t) {
    if (sessions != null && sessions.ended(row, t) && lanes != null) {
      startNextTree(lanes, sessions, t);
    }
  }

  private void startNextTree(Lanes among, SessionFlow flow, long t) {
    int copy = Math.toIntExact(nextTree / trees);
    if (nextTree >= among.limit() || (copy > 0 && !among.recycle())) {
      return;
    }
    flow.startTree(copy, (int) (nextTree++ % trees), t);
  }
}
