package io.orrery.engine.cluster;

import io.orrery.engine.Draws;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.engine.clock.EventQueue;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Follows sessions: which requests of a tree wait for which others, tree by tree and copy by copy
 * of the trace.
 */
final class SessionFlow {
  private final Trace trace;
  private final EventQueue queue;
  private final RunColumns columns;
  private final SessionTrees trees;
  private final Successors successors;
  private final boolean randomStart;
  private final Draws laneDraws;
  private final IntConsumer leftOut;
  private final int requests;
  private int copies;

  // Per row.
  private final IntColumn pendingEdges = new IntColumn();
  private final LongColumn readyAt = new LongColumn();
  private final BitSet skipped = new BitSet();

  // Per tree and copy.
  private final IntColumn openRequests = new IntColumn();

  /**
   * @param randomStart whether sessions start at a random turn
   * @param leftOut hears of rows that will never be sent
   */
  SessionFlow(
      Trace trace,
      SessionTrees trees,
      boolean randomStart,
      long seed,
      EventQueue queue,
      RunColumns columns,
      IntConsumer leftOut) {
    this.trace = trace;
    this.trees = trees;
    this.randomStart = randomStart;
    this.queue = queue;
    this.columns = columns;
    this.leftOut = leftOut;
    requests = trace.requestCount();
    successors = new Successors(trace);
    laneDraws = new Draws(seed, "dispatch.lane-start");
    addCopy();
  }

  /** Whether the request is never sent because its session starts in the middle. */
  boolean leftOut(int row) {
    return skipped.get(row);
  }

  /**
   * A request has ended.
   *
   * @return whether its tree is over
   */
  boolean ended(int row, long t) {
    trigger(row, t, EdgeTrigger.COMPLETION);
    int tree = row / requests * trees.count() + trees.treeOf(row % requests);
    openRequests.increase(tree, -1);
    return openRequests.get(tree) == 0;
  }

  /** A request has been sent or has ended at {@code t}: what waits for that may go on. */
  void trigger(int row, long t, EdgeTrigger trigger) {
    int base = row / requests * requests;
    int r = row - base;
    for (int i = successors.start(r); i < successors.end(r); i++) {
      int edge = successors.edge(i);
      if (trace.edgeTrigger(edge) != trigger) {
        continue;
      }
      int next = base + successors.request(i);
      if (skipped.get(next)) {
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
      readyAt.set(next, Math.max(readyAt.get(next), ready));
      pendingEdges.increase(next, -1);
      if (pendingEdges.get(next) == 0) {
        queue.add(Math.max(t, readyAt.get(next)), Phase.DISPATCH, next);
      }
    }
  }

  /** Starts a tree of a copy at {@code t}. */
  void startTree(int copy, int tree, long t) {
    while (copy >= copies) {
      addCopy();
    }
    int base = copy * requests;
    int first = trees.firstRequest(tree);
    if (randomStart) {
      first = skipTo(copy, tree);
    }
    long origin = trace.arrivalNanos(first);
    int open = 0;
    for (int i = trees.start(tree); i < trees.end(tree); i++) {
      int r = trees.request(i);
      int row = base + r;
      if (skipped.get(row)) {
        continue;
      }
      open++;
      if (pendingEdges.get(row) == 0) {
        long arrival = trace.arrivalNanos(r);
        long offset =
            arrival == Trace.NO_TIME || origin == Trace.NO_TIME ? 0 : Math.max(0, arrival - origin);
        queue.add(t + offset, Phase.DISPATCH, row);
      }
    }
    openRequests.set(copy * trees.count() + tree, open);
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
        changed |= skip != skipped.get(base + r);
        skipped.set(base + r, skip);
      }
    }
    for (int i = trees.start(tree); i < trees.end(tree); i++) {
      int r = trees.request(i);
      if (skipped.get(base + r)) {
        leftOut.accept(base + r);
      }
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (skipped.get(base + trace.edgeFrom(e))) {
          pendingEdges.increase(base + r, -1);
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
        ? skipped.get(base + trace.firstRequest(session))
        : onlyAfterSkipped(base, r);
  }

  private boolean onlyAfterSkipped(int base, int r) {
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (!skipped.get(base + trace.edgeFrom(e))) {
        return false;
      }
    }
    return trace.edgeStart(r) < trace.edgeEnd(r);
  }

  private void addCopy() {
    copies++;
    int rows = Math.multiplyExact(copies, requests);
    columns.ensure(rows);
    readyAt.addRepeated(0, requests);
    for (int r = 0; r < requests; r++) {
      pendingEdges.add(trace.edgeEnd(r) - trace.edgeStart(r));
    }
    openRequests.addRepeated(0, trees.count());
  }
}
