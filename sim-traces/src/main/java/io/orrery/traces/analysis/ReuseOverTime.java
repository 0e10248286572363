package io.orrery.traces.analysis;

import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import java.util.BitSet;

/**
 * When the blocks of a trace are touched again: what caches that forget find, and how many blocks
 * are touched within a time. Requests come by time; without a common clock, session tree by session
 * tree.
 */
final class ReuseOverTime {
  private final Trace trace;
  private final long[] limits;
  private final double[] hitTokens;
  private final ExactSum[] residence;
  private final LongColumn perTree = new LongColumn();
  private double[] workingSet = {};

  private final LongColumn starts;

  /** The requests in the order in which they come. */
  private final IntColumn walk;

  // The request that touches blocks: its start, and how far along its prompt all have been found.
  private long now;
  private boolean found;
  private int bin;

  /** Where the requests begin that it may find blocks of. */
  private int scopeStart;

  ReuseOverTime(Trace trace) {
    this.trace = trace;
    limits = BlockReuse.TIMES_TO_LIVE.stream().mapToLong(time -> time.toNanos()).toArray();
    hitTokens = new double[limits.length];
    residence = new ExactSum[limits.length - 1];
    Arrays.setAll(residence, w -> new ExactSum());
    starts = Starts.of(trace);
    IntColumn order = StableOrder.of(starts);
    IntColumn byRoot = byRoot(order);
    walk = trace.sharedClock() ? order : byRoot;
    touchAll();
    countTrees(byRoot);
    starts.release();
    order.release();
    byRoot.release();
  }

  /**
   * Share of input tokens that are found within each time.
   *
   * @param input known input tokens
   */
  double[] hitShares(double input) {
    double[] shares = new double[limits.length];
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += hitTokens[i];
      shares[i] = sum / input;
    }
    return shares;
  }

  /** Tokens touched within each window, mean over the span; empty without a common clock. */
  double[] workingSetTokens() {
    return workingSet;
  }

  /** Tokens of the distinct blocks of each session tree. */
  LongColumn sessionTokens() {
    return perTree;
  }

  private void touchAll() {
    // By block, the place in the walk of the request that touched it last, and one.
    IntColumn last = IntColumn.filled(Math.toIntExact(trace.blockCount()), 0);
    BlockWalk blocks = new BlockWalk(trace, last);
    for (int place = 0; place < walk.size(); place++) {
      int r = walk.get(place);
      if (!trace.sharedClock() && place > 0 && root(r) != root(walk.get(place - 1))) {
        scopeStart = place;
      }
      now = starts.get(r);
      found = true;
      bin = 0;
      int touched = place + 1;
      blocks.along(r, this::touch, before -> touched);
    }
    if (trace.sharedClock()) {
      finishWorkingSet(starts.get(walk.last()), last);
    }
    last.release();
  }

  private void touch(int last, int blocks, long tokens) {
    boolean known = last > scopeStart;
    found &= known;
    if (known) {
      long age = Math.max(0, now - starts.get(walk.get(last - 1)));
      if (found) {
        while (age > limits[bin]) {
          bin++;
        }
        hitTokens[bin] += tokens;
      }
      stay(age, blocks);
    }
  }

  /** Blocks that are touched again after so long were in a window's set until then, or for it. */
  private void stay(long age, int blocks) {
    for (int w = 0; w < residence.length; w++) {
      residence[w].addTimes(Math.min(age, limits[w]), blocks);
    }
  }

  private void finishWorkingSet(long end, IntColumn last) {
    BitSet whole = new BitSet();
    for (int run = 0; run < trace.runCount(); run++) {
      whole.set(trace.runFirst(run), trace.runFirst(run) + trace.runLength(run));
    }
    for (int id = whole.nextSetBit(0); id >= 0; id = whole.nextSetBit(id + 1)) {
      if (last.get(id) > 0) {
        stay(end - starts.get(walk.get(last.get(id) - 1)), 1);
      }
    }
    workingSet = new double[residence.length];
    for (int w = 0; w < workingSet.length; w++) {
      workingSet[w] = residence[w].value() * trace.blockSize() / Math.max(1, end);
    }
  }

  /** Distinct blocks of each tree, whose requests come one after the other. */
  private void countTrees(IntColumn byRoot) {
    IntColumn treeOf = IntColumn.filled(Math.toIntExact(trace.blockCount()), -1);
    LongColumn distinct = LongColumn.filled(trace.sessionCount(), 0);
    BlockWalk blocks = new BlockWalk(trace, treeOf);
    for (int i = 0; i < byRoot.size(); i++) {
      int r = byRoot.get(i);
      int root = root(r);
      blocks.alongWhole(
          r,
          (tree, count, tokens) -> distinct.increase(root, tree == root ? 0 : count),
          tree -> root);
    }
    for (int s = 0; s < distinct.size(); s++) {
      if (trace.parentSession(s) < 0) {
        perTree.add(distinct.get(s) * trace.blockSize());
      }
    }
    treeOf.release();
    distinct.release();
  }

  private int root(int r) {
    return trace.rootSession(trace.session(r));
  }

  private IntColumn byRoot(IntColumn order) {
    LongColumn keys = new LongColumn();
    for (int i = 0; i < order.size(); i++) {
      keys.add(root(order.get(i)));
    }
    IntColumn places = StableOrder.of(keys);
    keys.release();
    for (int i = 0; i < places.size(); i++) {
      places.set(i, order.get(places.get(i)));
    }
    return places;
  }
}
