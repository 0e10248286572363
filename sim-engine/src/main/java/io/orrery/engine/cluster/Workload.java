package io.orrery.engine.cluster;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.DispatchSettings.ClosedLoop;
import io.orrery.engine.DispatchSettings.Lanes;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.Draws;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.engine.clock.EventQueue;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Sends requests: at recorded times, in closed loops, or in lanes. A tree is a root session with
 * all its descendants; it starts as a whole, and its requests follow the trace's edges.
 */
final class Workload {
  /** What may be sent later than this, 2^61 ns or 73 years, would not fit the clock in the end. */
  private static final long LATEST_NANOS = 1L << 61;

  private final Trace trace;
  private final DispatchSettings dispatch;
  private final EventQueue queue;
  private final RunColumns columns;
  private final SessionTrees trees;
  private final Successors successors;
  private final int requests;

  // Per row.
  private int[] pendingEdges = {};
  private long[] readyAt = {};
  private boolean[] skipped = {};
  // Per tree and copy.
  private int[] openRequests = {};
  private int copies;

  // What starts by itself: requests (timestamps) or trees, by time.
  private int[] startOrder = {};
  private long[] startTimes = {};
  private int cursor;
  private long nextTree;
  private final Draws laneDraws;
  private final IntConsumer leftOut;

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
    this.leftOut = leftOut;
    this.trace = trace;
    this.dispatch = dispatch;
    this.queue = queue;
    this.columns = columns;
    this.requests = trace.requestCount();
    this.trees = new SessionTrees(trace);
    this.successors = new Successors(trace);
    this.laneDraws = new Draws(seed, "dispatch.lane-start");
    addCopy();
    if (dispatch instanceof Timestamps timestamps) {
      orderRequests(timestamps.speedup());
    } else if (dispatch instanceof ClosedLoop closedLoop) {
      orderTrees(closedLoop.arrivals(), seed);
    } else if (dispatch instanceof Lanes lanes) {
      startTimes =
          new long[(int) Math.min(lanes.count(), lanes.recycle() ? lanes.count() : trees.count())];
    }
  }

  private void orderRequests(double speedup) {
    startTimes = new long[requests];
    startOrder = new int[requests];
    boolean sorted = true;
    for (int r = 0; r < requests; r++) {
      double start = Math.max(0, trace.arrivalNanos(r)) / speedup;
      if (start >= LATEST_NANOS) {
        throw new SimulatedTimeException(
            "trace.timestamps.speedup: found "
                + speedup
                + ", which sends request "
                + trace.requestId(r)
                + " after more than 73 years, expected a greater one");
      }
      startTimes[r] = (long) start;
      startOrder[r] = r;
      sorted &= r == 0 || startTimes[r - 1] <= startTimes[r];
    }
    if (!sorted) {
      sortStarts();
    }
  }

  private void orderTrees(Arrivals arrivals, long seed) {
    int count = trees.count();
    startTimes = new long[count];
    startOrder = new int[count];
    if (arrivals instanceof Arrivals.Process process) {
      RenewalProcess gaps = new RenewalProcess(process, seed);
      long time = 0;
      for (int i = 0; i < count; i++) {
        time = Math.min(LATEST_NANOS, time + gaps.gapNanos(i));
        if (time == LATEST_NANOS) {
          throw new SimulatedTimeException(
              "trace.closedLoop.arrivals: found "
                  + process.perSecond()
                  + " sessions a second, which starts session "
                  + i
                  + " after more than 73 years, expected a greater rate");
        }
        startTimes[i] = time;
        startOrder[i] = i;
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      startTimes[i] = Math.max(0, trace.arrivalNanos(trees.firstRequest(i)));
      startOrder[i] = i;
    }
    sortStarts();
  }

  private void sortStarts() {
    Integer[] order = new Integer[startOrder.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(startTimes[a], startTimes[b]));
    long[] times = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      times[i] = startTimes[order[i]];
      startOrder[i] = order[i];
    }
    startTimes = times;
  }

  /** When something starts by itself next; {@link Long#MAX_VALUE} if nothing does. */
  long nextStart() {
    return cursor < startTimes.length ? startTimes[cursor] : Long.MAX_VALUE;
  }

  /**
   * Starts everything that starts by itself at {@code t}; the queue must have begun that instant.
   */
  void startDue(long t) {
    while (cursor < startTimes.length && startTimes[cursor] == t) {
      int i = cursor++;
      if (dispatch instanceof Timestamps) {
        queue.add(t, Phase.DISPATCH, startOrder[i]);
      } else if (dispatch instanceof Lanes) {
        startNextTree(t);
      } else {
        startTree(0, startOrder[i], t);
      }
    }
  }

  /** Whether the request is never sent because its session starts in the middle. */
  boolean leftOut(int row) {
    return skipped[row];
  }

  /** A request has been sent at {@code t}. */
  void dispatched(int row, long t) {
    if (!(dispatch instanceof Timestamps)) {
      trigger(row, t, EdgeTrigger.DISPATCH);
    }
  }

  /** A request has ended at {@code t}, however. */
  void ended(int row, long t) {
    if (dispatch instanceof Timestamps) {
      return;
    }
    trigger(row, t, EdgeTrigger.COMPLETION);
    int copy = row / requests;
    int tree = trees.treeOf(row % requests);
    if (--openRequests[copy * trees.count() + tree] == 0 && dispatch instanceof Lanes) {
      startNextTree(t);
    }
  }

  private void trigger(int row, long t, EdgeTrigger trigger) {
    int base = row / requests * requests;
    int r = row - base;
    for (int i = successors.start(r); i < successors.end(r); i++) {
      int edge = successors.edge(i);
      if (trace.edgeTrigger(edge) != trigger) {
        continue;
      }
      int next = base + successors.request(i);
      if (skipped[next]) {
        continue;
      }
      long ready = t + trace.edgeDelayNanos(edge);
      if (ready < 0) {
        throw new SimulatedTimeException(
            "request "
                + trace.requestId(successors.request(i))
                + ": found a delay of "
                + trace.edgeDelayNanos(edge)
                + " ns at "
                + t
                + " ns, expected their sum below 2^63 ns");
      }
      readyAt[next] = Math.max(readyAt[next], ready);
      if (--pendingEdges[next] == 0) {
        queue.add(Math.max(t, readyAt[next]), Phase.DISPATCH, next);
      }
    }
  }

  private void startNextTree(long t) {
    int copy = Math.toIntExact(nextTree / trees.count());
    Lanes lanes = (Lanes) dispatch;
    if (nextTree >= lanes.limit() || (copy > 0 && !lanes.recycle())) {
      return;
    }
    int tree = (int) (nextTree++ % trees.count());
    while (copy >= copies) {
      addCopy();
    }
    startTree(copy, tree, t);
  }

  private void startTree(int copy, int tree, long t) {
    int base = copy * requests;
    int first = trees.firstRequest(tree);
    if (dispatch instanceof Lanes lanes && lanes.randomStart()) {
      first = skipTo(copy, tree);
    }
    long origin = trace.arrivalNanos(first);
    int open = 0;
    for (int i = trees.start(tree); i < trees.end(tree); i++) {
      int r = trees.request(i);
      int row = base + r;
      if (skipped[row]) {
        continue;
      }
      open++;
      if (pendingEdges[row] == 0) {
        long arrival = trace.arrivalNanos(r);
        long offset =
            arrival == Trace.NO_TIME || origin == Trace.NO_TIME ? 0 : Math.max(0, arrival - origin);
        queue.add(t + offset, Phase.DISPATCH, row);
      }
    }
    openRequests[copy * trees.count() + tree] = open;
  }

  /**
   * Leaves out the beginning of a tree: turns before one drawn evenly from the middle half of the
   * root session, and all sessions that only skipped requests would have spawned.
   *
   * @return the request of the turn drawn
   */
  private int skipTo(int copy, int tree) {
    int base = copy * requests;
    int root = trees.rootSession(tree);
    int turns = trace.requestCount(root);
    int low = turns / 4;
    int turn = low + laneDraws.below(Math.max(1, turns * 3 / 4 - low + 1), tree, copy);
    turn = Math.min(turn, turns - 1);
    // Sorted by arrival, a request may stand before what its session waits for.
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = trees.start(tree); i < trees.end(tree); i++) {
        int r = trees.request(i);
        boolean skip = skips(base, r, root, turn);
        changed |= skip != skipped[base + r];
        skipped[base + r] = skip;
      }
    }
    for (int i = trees.start(tree); i < trees.end(tree); i++) {
      int r = trees.request(i);
      if (skipped[base + r]) {
        leftOut.accept(base + r);
      }
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (skipped[base + trace.edgeFrom(e)]) {
          pendingEdges[base + r]--;
        }
      }
    }
    return trace.request(root, turn);
  }

  private boolean skips(int base, int r, int root, int firstTurn) {
    int session = trace.session(r);
    if (session == root) {
      return trace.turn(r) < firstTurn;
    }
    // A child session's first turn decides, later ones follow it.
    return trace.turn(r) > 0
        ? skipped[base + trace.firstRequest(session)]
        : onlyAfterSkipped(base, r);
  }

  private boolean onlyAfterSkipped(int base, int r) {
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (!skipped[base + trace.edgeFrom(e)]) {
        return false;
      }
    }
    return trace.edgeStart(r) < trace.edgeEnd(r);
  }

  private void addCopy() {
    int from = copies * requests;
    int rows = Math.addExact(from, requests);
    copies++;
    columns.ensure(rows);
    int size = copies == 1 ? rows : Math.max(rows, from * 2);
    if (pendingEdges.length < rows) {
      pendingEdges = Arrays.copyOf(pendingEdges, size);
      readyAt = Arrays.copyOf(readyAt, size);
      skipped = Arrays.copyOf(skipped, size);
    }
    openRequests = Arrays.copyOf(openRequests, copies * trees.count());
    for (int r = 0; r < requests; r++) {
      pendingEdges[from + r] = trace.edgeEnd(r) - trace.edgeStart(r);
    }
  }
}
