package io.orrery.engine.cluster;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;

/**
 * Charges every input token to its cause. Since a block is computed only after all before it, "ever
 * computed", "ever scheduled" and every worker's reach are prefixes of a prompt, and a few depths
 * say the class of each block.
 */
final class PrefixLedger {
  private final Trace trace;
  private final BlockView view;
  private final RunColumns columns;
  private final BlockFacts facts;
  private final int blockSize;
  private final int[] reach;
  private final CompletionReuse reuse;

  /** Then an output may complete several blocks at once, while one before them is in flight. */
  private final boolean speculates;

  PrefixLedger(
      Trace trace,
      BlockView view,
      RunColumns columns,
      BlockFacts facts,
      int workers,
      CompletionReuse reuse,
      boolean speculates) {
    this.trace = trace;
    this.view = view;
    this.columns = columns;
    this.facts = facts;
    this.blockSize = view.blockSize();
    this.reach = new int[workers];
    this.reuse = reuse;
    this.speculates = speculates;
  }

  /** Notes what every worker holds of a prompt at the moment it is placed on {@code worker}. */
  void placed(ActiveRequest request, int worker, int believedElsewhere) {
    BlockKeys keys = request.keys;
    int limit = request.reusableBlocks;
    facts.reach(keys, limit, reach);
    int elsewhere = 0;
    for (int w = 0; w < reach.length; w++) {
      if (w != worker) {
        elsewhere = Math.max(elsewhere, reach[w]);
      }
    }
    request.reachHere = reach[worker];
    request.reachElsewhere = elsewhere;
    request.believedElsewhere = Math.min(believedElsewhere, limit);
    int guess = speculates ? 0 : Math.max(request.reachHere, elsewhere);
    request.finishedBlocks = facts.finishedPrefix(keys, guess, limit);
    facts.expected(keys, request.promptTokens / blockSize);
  }

  /**
   * Notes the look-up of an admission, before the request's own blocks get their keys.
   *
   * @return whether it depends on planned steps: the first block that was never scheduled is one
   *     that some request may be decoding
   */
  boolean lookedUp(ActiveRequest request, int hitTokens) {
    int limit = request.reusableBlocks;
    int known = Math.max(hitTokens / blockSize, request.finishedBlocks);
    int scheduled = facts.scheduledPrefix(request.keys, Math.min(known, limit), limit);
    request.scheduledBlocks = scheduled;
    return scheduled < limit && facts.isExpected(request.keys.keyAt(scheduled));
  }

  /** Notes that a step computes tokens that nobody can find yet. */
  void computing(ActiveRequest request, int from, int to) {
    facts.scheduled(request.keys, from / blockSize, to / blockSize);
  }

  /** Charges the input of a request at its first admission. */
  void admitted(ActiveRequest request, int hitTokens) {
    request.admittedOnce = true;
    int row = request.request;
    int input = request.promptTokens;
    int limit = request.reusableTokens;
    int tailStart = (input - 1) / request.pageTokens * request.pageTokens;
    columns.charge(LedgerClass.HIT_DEVICE, row, hitTokens);
    columns.charge(LedgerClass.TAIL, row, input - tailStart);
    columns.charge(LedgerClass.UNIDENTIFIED, row, tailStart - limit);

    int finished = Math.max(hitTokens, tokens(request.finishedBlocks, limit));
    int resident = clamp(request.residentTokens, hitTokens, finished);
    int here = clamp(tokens(request.reachHere, limit), resident, finished);
    int elsewhere = clamp(tokens(request.reachElsewhere, limit), here, finished);
    int chosen = clamp(tokens(request.believedElsewhere, limit), here, elsewhere);
    columns.charge(LedgerClass.UNALIGNED, row, resident - hitTokens);
    columns.charge(LedgerClass.QUEUE_EVICTED, row, here - resident);
    columns.charge(LedgerClass.MISPLACED_CHOSEN, row, chosen - here);
    columns.charge(LedgerClass.MISPLACED_BLIND, row, elsewhere - chosen);
    columns.charge(LedgerClass.EVICTED, row, finished - elsewhere);

    int scheduled = Math.max(finished, tokens(request.scheduledBlocks, limit));
    columns.charge(LedgerClass.IN_FLIGHT, row, scheduled - finished);
    int fresh = limit - scheduled;
    int rewritten = fresh == 0 ? 0 : rewritten(row, scheduled, limit);
    columns.charge(LedgerClass.REWRITTEN, row, rewritten);
    columns.charge(LedgerClass.NEW, row, fresh - rewritten);

    // A block that reaches into the tail may be found whole without ever being charged whole.
    facts.prefilled(request.keys, hitTokens / blockSize, limit / blockSize);
  }

  /** Notes the blocks that a request has computed from its tail on. */
  void ended(ActiveRequest request) {
    if (request.admittedOnce) {
      // The last token's KV is never written, unless it was drafted; without an output, the
      // prompt's
      // is all there is.
      int written = speculates ? request.outputs : Math.max(0, request.outputs - 1);
      int full = (request.promptTokens + written) / blockSize;
      facts.produced(request.keys, request.reusableTokens / blockSize, full);
    }
  }

  private int tokens(int blocks, int limit) {
    return Math.min(blocks * blockSize, limit);
  }

  private static int clamp(int value, int low, int high) {
    return Math.min(Math.max(value, low), high);
  }

  /**
   * Of the never scheduled tokens in [from, to): those where the session had other content before.
   */
  private int rewritten(int row, int from, int to) {
    int r = columns.request(row);
    int turn = trace.turn(r);
    if (turn == 0) {
      return 0;
    }
    int previous = trace.request(trace.session(r), turn - 1);
    int previousRow = row - r + previous;
    if (!columns.dispatched(previousRow)) {
      return 0;
    }
    int before = trace.inputTokens(previous) + trace.outputTokens(previous);
    boolean returns = reuse.returnsVerbatim(previousRow);
    int common =
        view.commonBlocks(
            previous,
            returns ? view.namedBlocks(previous) : view.identifiedBlocks(previous),
            r,
            view.identifiedBlocks(r));
    boolean kept =
        returns && common >= view.identifiedBlocks(previous) && trace.inputTokens(r) >= before;
    if (kept) {
      return 0;
    }
    return Math.max(0, Math.min(to, before) - Math.max(from, common * blockSize));
  }
}
