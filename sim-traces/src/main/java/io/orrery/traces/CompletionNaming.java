package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * Writes the final runs: each request's full prompt blocks, then its completion blocks as far as
 * their names are known.
 *
 * <p>A completion block has a name where the file records one, or where the next turn of the
 * session brings the output back: its prompt starts with all of this request's named blocks and is
 * at least as long as input + output. Named are then the blocks that input + output − 1 tokens
 * touch; the last generated token has no KV yet. That the output comes back verbatim is an
 * assumption, which the engine may drop.
 */
final class CompletionNaming {
  private final TraceAssembler in;
  private final IntColumn order;
  private final TraceColumns out;
  private final RunColumn runs = new RunColumn();
  private final int blockSize;

  CompletionNaming(TraceAssembler in, IntColumn order, TraceColumns out) {
    this.in = in;
    this.order = order;
    this.out = out;
    blockSize = in.blockSize();
  }

  void name() {
    int n = order.size();
    out.runStart = new IntColumn();
    for (int p = 0; p < n; p++) {
      out.identified.add(in.identified(order.get(p)));
    }
    for (int p = 0; p < n; p++) {
      int request = order.get(p);
      out.runStart.add(runs.size());
      runs.startList();
      runs.addSlice(in.runs, in.runStart.get(request), 0, out.identified.get(p));
      out.promptRunEnd.add(runs.size());
      runs.startList();
      out.named.add(namedCompletion(p, request));
    }
    out.runStart.add(runs.size());
    out.runFirst = runs.firsts();
    out.runLength = runs.lengths();
    partialBlocks();
  }

  private int namedCompletion(int p, int request) {
    int named = out.identified.get(p);
    if (named < out.input.get(p) / blockSize) {
      return named;
    }
    int recorded = 0;
    for (int run = in.promptRunEnd.get(request); run < in.runEnd(request); run++) {
      runs.add(in.runs.first(run), in.runs.length(run));
      recorded += in.runs.length(run);
    }
    named += recorded;
    int next = nextTurn(p);
    long length = (long) out.input.get(p) + out.output.get(p);
    if (next < 0 || out.input.get(next) < length) {
      return named;
    }
    int nextRun = in.runStart.get(order.get(next));
    int nextBlocks = out.identified.get(next);
    if (nextBlocks < named || (named > 0 && in.runs.at(nextRun, named - 1) != lastNamed(p))) {
      return named;
    }
    int touched = (int) ((length - 1 + blockSize - 1) / blockSize);
    int upTo = Math.max(named, Math.min(nextBlocks, touched));
    runs.addSlice(in.runs, nextRun, named, upTo);
    return upTo;
  }

  /** The chained id of the last named block; equal ids mean equal prefixes. */
  private int lastNamed(int p) {
    int run = runs.size() - 1;
    return run < out.runStart.get(p) ? BlockIds.NONE : runs.first(run) + runs.length(run) - 1;
  }

  private int nextTurn(int p) {
    int s = out.session.get(p);
    int index = out.sessionStart.get(s) + out.turn.get(p) + 1;
    return index < out.sessionStart.get(s + 1) ? out.sessionRequests.get(index) : -1;
  }

  private void partialBlocks() {
    SparseColumn partial = new SparseColumn(-1);
    for (int p = 0; p < order.size(); p++) {
      int request = order.get(p);
      if (in.given.get(request) > out.identified.get(p)) {
        int run = in.runStart.get(request);
        partial.set(p, in.runs.at(run, out.identified.get(p)));
      }
    }
    out.partial = partial.ints(order.size());
  }
}
