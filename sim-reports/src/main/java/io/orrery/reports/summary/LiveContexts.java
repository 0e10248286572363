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
    int request = columns.request(row);
    int known = view.identifiedBlocks(request);
    unnamed += blocks(trace.inputTokens(request)) - known;
    if (known > 0) {
      named.add(keys(row, request), known);
    }
  }

  /** A request has ended: its output belongs to the context now. */
  void complete(int row) {
    int request = columns.request(row);
    int before = view.identifiedBlocks(request);
    int tokens = contextTokens(row, request);
    int known = named(request, tokens);
    unnamed += blocks(tokens) - known - (blocks(trace.inputTokens(request)) - before);
    if (known > before) {
      named.extend(keys(row, request), before, known);
    }
    complete.set(row);
  }

  /** The context of a request is no longer needed. */
  void remove(int row) {
    int request = columns.request(row);
    boolean whole = complete.get(row);
    int tokens = whole ? contextTokens(row, request) : trace.inputTokens(request);
    int known = whole ? named(request, tokens) : view.identifiedBlocks(request);
    unnamed -= blocks(tokens) - known;
    if (known > 0) {
      named.remove(keys(row, request), known);
    }
  }

  /** Tokens of the prompt and the output; the last one is never fed back, so it leaves no KV. */
  private int contextTokens(int row, int request) {
    return trace.inputTokens(request) + Math.max(0, columns.outputTokens(row) - 1);
  }

  /** Blocks with a name of a request that has got its output. */
  private int named(int request, int tokens) {
    return Math.max(
        view.identifiedBlocks(request),
        Math.min(view.namedBlocks(request), tokens / view.blockSize()));
  }

  private int blocks(int tokens) {
    return tokens / view.blockSize() + (tokens % view.blockSize() == 0 ? 0 : 1);
  }

  private BlockKeys keys(int row, int request) {
    keys.reset(row);
    long copy = (long) columns.copy(row) << COPY_SHIFT;
    for (int run = view.runStart(request); run < view.runEnd(request); run++) {
      keys.addRun(copy | view.runFirst(run), view.runLength(run));
    }
    return keys;
  }
}
