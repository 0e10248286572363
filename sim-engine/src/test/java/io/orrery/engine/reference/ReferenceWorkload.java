package io.orrery.engine.reference;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.DispatchSettings.ClosedLoop;
import io.orrery.engine.DispatchSettings.Lanes;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.Draws;
import io.orrery.engine.clock.Phase;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/** Sends requests: each request waits for a list of conditions, kept in maps by row. */
final class ReferenceWorkload {
  /** A root session with all its descendants, in one copy of the trace. */
  private static final class Tree {
    final Set<Integer> open = new HashSet<>();
  }

  private final Trace trace;
  private final DispatchSettings dispatch;
  private final long seed;
  private final ReferenceClock clock;
  private final IntConsumer send;
  private final List<Integer> roots = new ArrayList<>();
  private final Map<Integer, Tree> treeOfRow = new HashMap<>();
  private final Map<Integer, Set<Integer>> openEdges = new HashMap<>();
  private final Map<Integer, Long> readyAt = new HashMap<>();
  private int startedTrees;

  /**
   * @param send is told each row at the moment at which it is sent
   */
  ReferenceWorkload(
      Trace trace, DispatchSettings dispatch, long seed, ReferenceClock clock, IntConsumer send) {
    this.trace = trace;
    this.dispatch = dispatch;
    this.seed = seed;
    this.clock = clock;
    this.send = send;
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) < 0) {
        roots.add(s);
      }
    }
  }

  void begin() {
    if (dispatch instanceof Timestamps timestamps) {
      for (int r = 0; r < trace.requestCount(); r++) {
        long recorded = Math.max(0, trace.arrivalNanos(r)) + jitter(r, timestamps.jitterNanos());
        sendAt((long) (recorded / timestamps.speedup()), r);
      }
    } else if (dispatch instanceof ClosedLoop closedLoop) {
      long start = 0;
      for (int i = 0; i < roots.size(); i++) {
        if (closedLoop.arrivals() instanceof Arrivals.Process process) {
          start += gapNanos(process, i);
        } else {
          long jitter = ((Arrivals.Recorded) closedLoop.arrivals()).jitterNanos();
          start =
              Math.max(0, trace.arrivalNanos(trace.firstRequest(roots.get(i)))) + jitter(i, jitter);
        }
        startTree(i, 0, start);
      }
    } else if (dispatch instanceof Lanes lanes) {
      for (int lane = 0; lane < lanes.count(); lane++) {
        nextTree(lanes, 0);
      }
    }
  }

  private long jitter(int number, long below) {
    return (long) (new Draws(seed, "dispatch.jitter").uniform(number, 0) * below);
  }

  private void sendAt(long time, int row) {
    clock.at(time, Phase.DISPATCH, row, () -> send.accept(row));
  }

  private void nextTree(Lanes lanes, long now) {
    int copy = startedTrees / roots.size();
    if (startedTrees >= lanes.limit() || (copy > 0 && !lanes.recycle())) {
      return;
    }
    int tree = startedTrees % roots.size();
    startedTrees++;
    startTree(tree, copy, now);
  }

  private void startTree(int index, int copy, long start) {
    int root = roots.get(index);
    int firstTurn = 0;
    if (dispatch instanceof Lanes lanes && lanes.randomStart()) {
      int turns = trace.requestCount(root);
      int low = turns / 4;
      int high = turns * 3 / 4;
      int drawn =
          new Draws(seed, "dispatch.lane-start").below(Math.max(1, high - low + 1), index, copy);
      firstTurn = Math.min(low + drawn, turns - 1);
    }
    long origin = trace.arrivalNanos(trace.request(root, firstTurn));
    Tree tree = new Tree();
    for (int r = 0; r < trace.requestCount(); r++) {
      if (trace.rootSession(trace.session(r)) != root || skipped(r, root, firstTurn)) {
        continue;
      }
      int row = copy * trace.requestCount() + r;
      tree.open.add(row);
      treeOfRow.put(row, tree);
      Set<Integer> edges = new HashSet<>();
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (!skipped(trace.edgeFrom(e), root, firstTurn)) {
          edges.add(e);
        }
      }
      openEdges.put(row, edges);
      readyAt.put(row, 0L);
      if (edges.isEmpty()) {
        long arrival = trace.arrivalNanos(r);
        boolean known = arrival != Trace.NO_TIME && origin != Trace.NO_TIME;
        sendAt(start + (known ? Math.max(0, arrival - origin) : 0), row);
      }
    }
  }

  /**
   * Whether a request lies before the turn at which its tree is entered: an earlier turn of the
   * root, or in a session whose first request waits for such requests only.
   */
  private boolean skipped(int r, int root, int firstTurn) {
    if (firstTurn == 0) {
      return false;
    }
    int session = trace.session(r);
    if (session == root) {
      return trace.turn(r) < firstTurn;
    }
    int first = trace.firstRequest(session);
    for (int e = trace.edgeStart(first); e < trace.edgeEnd(first); e++) {
      if (!skipped(trace.edgeFrom(e), root, firstTurn)) {
        return false;
      }
    }
    return trace.edgeStart(first) < trace.edgeEnd(first);
  }

  /** Whether a row of a started tree is never sent. */
  boolean leftOut(int row) {
    return !(dispatch instanceof Timestamps) && !treeOfRow.containsKey(row);
  }

  void sent(int row) {
    happened(row, EdgeTrigger.DISPATCH);
  }

  void ended(int row) {
    happened(row, EdgeTrigger.COMPLETION);
    Tree tree = treeOfRow.get(row);
    if (tree != null && tree.open.remove(row) && tree.open.isEmpty()) {
      if (dispatch instanceof Lanes lanes) {
        nextTree(lanes, clock.now());
      }
    }
  }

  private void happened(int row, EdgeTrigger trigger) {
    if (dispatch instanceof Timestamps) {
      return;
    }
    int n = trace.requestCount();
    for (int r = 0; r < n; r++) {
      int waiting = row / n * n + r;
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (trace.edgeFrom(e) == row % n
            && trace.edgeTrigger(e) == trigger
            && openEdges.containsKey(waiting)
            && openEdges.get(waiting).remove(e)) {
          long ready = Math.max(readyAt.get(waiting), clock.now() + trace.edgeDelayNanos(e));
          readyAt.put(waiting, ready);
          if (openEdges.get(waiting).isEmpty()) {
            sendAt(Math.max(clock.now(), ready), waiting);
          }
        }
      }
    }
  }

  /**
   * A gamma-distributed gap: Marsaglia and Tsang's method over Box and Muller's normal variates,
   * draw for draw as the product documents it.
   */
  private long gapNanos(Arrivals.Process process, int i) {
    double mean = 1e9 / process.perSecond();
    if (process.variation() == 0) {
      return Math.round(mean);
    }
    double shape = 1 / (process.variation() * process.variation());
    Draws draws = new Draws(seed, "dispatch.arrivals");
    double a = shape < 1 ? shape + 1 : shape;
    double d = a - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    for (int k = 1; ; k += 3) {
      double normal =
          Math.sqrt(-2 * StrictMath.log(1 - draws.uniform(i, k)))
              * StrictMath.cos(2 * Math.PI * draws.uniform(i, k + 1));
      double root = 1 + c * normal;
      double v = root * root * root;
      double u = 1 - draws.uniform(i, k + 2);
      if (root > 0
          && StrictMath.log(u) < 0.5 * normal * normal + d - d * v + d * StrictMath.log(v)) {
        double boost = shape < 1 ? StrictMath.pow(1 - draws.uniform(i, 0), 1 / shape) : 1;
        return Math.round(mean * (d * v * boost) / shape);
      }
    }
  }
}
