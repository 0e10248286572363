package io.orrery.engine.clock;

import java.util.Arrays;

/**
 * When the step of each worker ends: one moment for each, which may be moved, and the earliest of
 * all. A tree of comparisons: every inner node names the earlier of its two children, the worker
 * with the lower id if both end at once.
 */
final class StepEnds {
  /** No step is to end. */
  static final long NEVER = Long.MAX_VALUE;

  private final int leaves;
  private final long[] times;

  /** By node, the root being 1: the worker whose step ends first below it. */
  private final int[] earliest;

  StepEnds(int workers) {
    leaves = Integer.highestOneBit(Math.max(1, 2 * workers - 1));
    times = new long[leaves];
    Arrays.fill(times, NEVER);
    earliest = new int[2 * leaves];
    for (int i = 0; i < leaves; i++) {
      earliest[leaves + i] = i;
    }
    for (int node = leaves - 1; node > 0; node--) {
      earliest[node] = earliest[2 * node];
    }
  }

  /** The step of a worker ends at {@code time}, and not when it was to end before. */
  void set(int worker, long time) {
    times[worker] = time;
    for (int node = (leaves + worker) >> 1; node > 0; node >>= 1) {
      int left = earliest[2 * node];
      int right = earliest[2 * node + 1];
      earliest[node] = times[left] <= times[right] ? left : right;
    }
  }

  /** The earliest end; {@link #NEVER} if there is none. */
  long nextTime() {
    return times[earliest[1]];
  }

  /** The worker whose step ends then. */
  int nextWorker() {
    return earliest[1];
  }
}
