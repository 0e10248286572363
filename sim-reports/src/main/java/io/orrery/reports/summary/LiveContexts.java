package io.orrery.reports.summary;

import io.orrery.engine.cache.ActivePrefixes;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.BitSet;

/**
 * The contexts of live sessions as a set of blocks: those that the trace names are counted once
 * however many contexts hold them, the others one by one.
 */
final class LiveContexts {
  private static final int COPY_SHIFT = 40;

  private final Trace trace;
  private final BlockView view;
  private final RunColumns columns;
  private final ActivePrefixes named = new ActivePrefixes();
  private final BlockKeys keys = new BlockKeys();
  private final BitSet complete = new BitSet();
  private long unnamed;

  LiveContexts(RunFacts run) {
    this.trace = run.trace();
    this.view = run.view();
    this.columns = run.columns();
  }

  /** Distinct blocks, a block in part filled counted as one. */
  long blocks() {
    return named.blocks() + unnamed;
  }

  /** A request was sent: its prompt is a context. */
  void add(int row) {
    change(row, 1);
  }

  /** A request has ended: its output belongs to the context now. */
  void complete(int row) {
    change(row, -1);
    complete.set(row);
    change(row, 1);
  }

  /** The context of a request is no longer needed. */
  void remove(int row) {
    change(row, -1);
  }

  private void change(int row, int sign) {
    int r = columns.request(row);
    int tokens = trace.inputTokens(r);
    int known = view.identifiedBlocks(r);
    if (complete.get(row)) {
      // The last output token is never fed back, so it leaves no KV.
      tokens += Math.max(0, columns.outputTokens(row) - 1);
      known = Math.max(known, Math.min(view.namedBlocks(r), tokens / view.blockSize()));
    }
    int all = tokens / view.blockSize() + (tokens % view.blockSize() == 0 ? 0 : 1);
    unnamed += (long) sign * (all - known);
    if (known == 0) {
      return;
    }
    keys.reset(row);
    long copy = (long) columns.copy(row) << COPY_SHIFT;
    for (int run = view.runStart(r); run < view.runEnd(r); run++) {
      keys.addRun(copy | view.runFirst(run), view.runLength(run));
    }
    if (sign > 0) {
      named.add(keys, known);
    } else {
      named.remove(keys, known);
    }
  }
}
