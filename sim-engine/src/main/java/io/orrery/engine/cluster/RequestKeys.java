package io.orrery.engine.cluster;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;

/**
 * Turns the runs of a trace's view into block keys; a recycled copy of the trace has keys of its
 * own, and so has each model.
 */
final class RequestKeys {
  /** Bits of a key below the number of the copy. */
  static final int COPY_SHIFT = 40;

  /** Of a key, what stands for the trace's block. */
  static final long TRACE_KEY = (1L << COPY_SHIFT) - 1;

  private final Trace trace;
  private final BlockView view;
  private final RunColumns columns;
  private final CompletionReuse reuse;
  private final Placement placement;

  RequestKeys(
      Trace trace, BlockView view, RunColumns columns, CompletionReuse reuse, Placement placement) {
    this.trace = trace;
    this.view = view;
    this.columns = columns;
    this.reuse = reuse;
    this.placement = placement;
    if (view.blockCount() > 1L << COPY_SHIFT) {
      throw new IllegalArgumentException(
          "trace of " + view.blockCount() + " blocks, at most 2^40 are supported");
    }
  }

  int blockSize() {
    return view.blockSize();
  }

  Trace trace() {
    return trace;
  }

  RunColumns columns() {
    return columns;
  }

  /**
   * Resets {@code request} for {@code row}, with the keys of its prompt and of its output as far as
   * they are known.
   *
   * @param pageTokens tokens of a page of the worker's cache, a divisor of the view's block size
   */
  void fill(ActiveRequest request, int row, int pageTokens) {
    int r = columns.request(row);
    int identified = view.identifiedBlocks(r);
    request.reset(row);
    addRuns(request.keys, row, reuse.returnsVerbatim(row) ? view.runEnd(r) : view.promptRunEnd(r));
    int blockSize = view.blockSize();
    int identifiedTokens = identified * blockSize;
    request.pageTokens = pageTokens;
    request.firstLookUpLimit = identifiedTokens / pageTokens;
    int beforeTail = (trace.inputTokens(r) - 1) / pageTokens * pageTokens;
    request.reusableTokens = Math.min(identifiedTokens, beforeTail);
    request.reusableBlocks = (request.reusableTokens + blockSize - 1) / blockSize;
  }

  /** Shows a router the request of {@code row} as it stands at {@code now}: its prompt alone. */
  void show(RoutedRequest shown, int row, long now) {
    int r = columns.request(row);
    int sessions = columns.copy(row) * trace.sessionCount();
    int session = trace.session(r);
    int parent = trace.parentSession(session);
    shown.keys().reset(row);
    addRuns(shown.keys(), row, view.promptRunEnd(r));
    shown.set(
        row,
        sessions + session,
        parent < 0 ? -1 : sessions + parent,
        trace.inputTokens(r),
        trace.priority(r),
        view.blockSize(),
        now);
  }

  private void addRuns(BlockKeys keys, int row, int end) {
    int namespace = columns.copy(row) * placement.models() + placement.model(row);
    long copy = (long) namespace << COPY_SHIFT;
    for (int run = view.runStart(columns.request(row)); run < end; run++) {
      keys.addRun(copy | view.runFirst(run), view.runLength(run));
    }
  }
}
