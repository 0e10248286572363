package io.orrery.traces;

import java.util.Arrays;

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
  private final int[] order;
  private final TraceColumns out;
  private final RunColumn runs = new RunColumn();
  private final int blockSize;

  CompletionNaming(TraceAssembler in, int[] order, TraceColumns out) {
    this.in = in;
    this.order = order;
    this.out = out;
    blockSize = in.blockSize();
  }

  void name() {
    int n = order.length;
    out.identified = new int[n];
    out.named = new int[n];
    out.runStart = new int[n + 1];
    out.promptRunEnd = new int[n];
    for (int p = 0; p < n; p++) {
      out.identified[p] = in.identified(order[p]);
    }
    for (int p = 0; p < n; p++) {
      int request = order[p];
      out.runStart[p] = runs.size();
      runs.startList();
      runs.addSlice(in.runs, in.runStart.get(request), 0, out.identified[p]);
      out.promptRunEnd[p] = runs.size();
      runs.startList();
      out.named[p] = namedCompletion(p, request);
    }
    out.runStart[n] = runs.size();
    out.runFirst = runs.firsts();
    out.runLength = runs.lengths();
    partialBlocks();
  }

  private int namedCompletion(int p, int request) {
    int named = out.identified[p];
    if (named < out.input[p] / blockSize) {
      return named;
    }
    int recorded = 0;
    for (int run = in.promptRunEnd.get(request); run < in.runEnd(request); run++) {
      runs.add(in.runs.first(run), in.runs.length(run));
      recorded += in.runs.length(run);
    }
    named += recorded;
    int next = nextTurn(p);
    long length = (long) out.input[p] + out.output[p];
    if (next < 0 || out.input[next] < length) {
      return named;
    }
    int nextRun = in.runStart.get(order[next]);
    int nextBlocks = out.identified[next];
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
    return run < out.runStart[p] ? BlockIds.NONE : runs.first(run) + runs.length(run) - 1;
  }

  private int nextTurn(int p) {
    int s = out.session[p];
    int index = out.sessionStart[s] + out.turn[p] + 1;
    return index < out.sessionStart[s + 1] ? out.sessionRequests[index] : -1;
  }

  private void partialBlocks() {
    int[] partial = new int[order.length];
    Arrays.fill(partial, -1);
    boolean any = false;
    for (int p = 0; p < partial.length; p++) {
      int request = order[p];
      if (in.given.get(request) > out.identified[p]) {
        partial[p] = in.runs.at(in.runStart.get(request), out.identified[p]);
        any = true;
      }
    }
    if (any) {
      out.partial = partial;
    }
  }
}
