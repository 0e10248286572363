package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * Groups of q trace blocks as one larger block, keyed by the chained id of the group's last member.
 */
final class BlockGrouping {
  private final Trace trace;
  private final int q;
  private final IntColumn keyOfLast;
  private final RunColumn runs = new RunColumn();
  private final TraceColumns columns;
  private int keys;

  // the walk over one request's runs
  private int run;
  private int runOffset;

  BlockGrouping(Trace trace, int q) {
    this.trace = trace;
    this.q = q;
    keyOfLast = IntColumn.filled(Math.toIntExact(trace.blockCount()), -1);
    TraceColumns source = trace.columns();
    columns = new TraceColumns(trace.blockSize() * q, 0, source.sharedClock, source.provenance);
    columns.runStart = new IntColumn();
    int n = trace.requestCount();
    for (int r = 0; r < n; r++) {
      group(r);
    }
    columns.runStart.add(runs.size());
    columns.runFirst = runs.firsts().trimmed();
    columns.runLength = runs.lengths().trimmed();
    keyOfLast.release();
  }

  TraceColumns columns() {
    return columns;
  }

  int keys() {
    return keys;
  }

  private void group(int r) {
    int identified = trace.identifiedBlocks(r) / q;
    int named = trace.namedBlocks(r) / q;
    columns.identified.add(identified);
    columns.named.add(named);
    columns.runStart.add(runs.size());
    runs.startList();
    run = trace.runStart(r);
    runOffset = 0;
    for (int g = 0; g < identified; g++) {
      runs.add(key(nextLast()));
    }
    columns.promptRunEnd.add(runs.size());
    runs.startList();
    for (int g = identified; g < named; g++) {
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
    if (keyOfLast.get(last) < 0) {
      keyOfLast.set(last, keys++);
    }
    return keyOfLast.get(last);
  }
}
