package io.orrery.traces;

import java.util.Arrays;

/**
 * Groups of q trace blocks as one larger block, keyed by the chained id of the group's last member.
 */
final class BlockGrouping {
  private final Trace trace;
  private final int q;
  private final int[] keyOfLast;
  private final RunColumn runs = new RunColumn();
  private final TraceColumns columns;
  private int keys;

  // the walk over one request's runs
  private int run;
  private int runOffset;

  BlockGrouping(Trace trace, int q) {
    this.trace = trace;
    this.q = q;
    keyOfLast = new int[Math.toIntExact(trace.blockCount())];
    Arrays.fill(keyOfLast, -1);
    TraceColumns source = trace.columns();
    columns = new TraceColumns(trace.blockSize() * q, 0, source.sharedClock, source.provenance);
    int n = trace.requestCount();
    columns.identified = new int[n];
    columns.named = new int[n];
    columns.runStart = new int[n + 1];
    columns.promptRunEnd = new int[n];
    for (int r = 0; r < n; r++) {
      group(r);
    }
    columns.runStart[n] = runs.size();
    columns.runFirst = runs.firsts();
    columns.runLength = runs.lengths();
  }

  TraceColumns columns() {
    return columns;
  }

  int keys() {
    return keys;
  }

  private void group(int r) {
    columns.identified[r] = trace.identifiedBlocks(r) / q;
    columns.named[r] = trace.namedBlocks(r) / q;
    columns.runStart[r] = runs.size();
    runs.startList();
    run = trace.runStart(r);
    runOffset = 0;
    for (int g = 0; g < columns.identified[r]; g++) {
      runs.add(key(nextLast()));
    }
    columns.promptRunEnd[r] = runs.size();
    runs.startList();
    for (int g = columns.identified[r]; g < columns.named[r]; g++) {
      runs.add(key(nextLast()));
    }
  }

  /** Walks q blocks on and returns the last one's id. */
  private int nextLast() {
    runOffset += q;
    while (runOffset > trace.runLength(run)) {
      runOffset -= trace.runLength(run++);
    }
    return trace.runFirst(run) + runOffset - 1;
  }

  private int key(int last) {
    if (keyOfLast[last] < 0) {
      keyOfLast[last] = keys++;
    }
    return keyOfLast[last];
  }
}
