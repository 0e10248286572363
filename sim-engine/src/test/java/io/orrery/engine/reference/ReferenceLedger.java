package io.orrery.engine.reference;

import io.orrery.engine.SimulationSettings;
import io.orrery.engine.record.LedgerClass;
import io.orrery.traces.Trace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The prefill-tax ledger: what was computed before, where it was, and why it was not found. */
final class ReferenceLedger {
  private final Trace trace;
  private final SimulationSettings settings;
  private final int blockSize;
  private final List<ReferenceWorker> workers;
  private final ReferenceRouter router;
  private final ReferenceBlockNames blocks;
  private final List<ReferenceRow> rows;
  private final Set<Long> scheduledEver = new HashSet<>();
  private final Set<Long> computedEver = new HashSet<>();
  private final Set<Long> missedAsPrefill = new HashSet<>();

  ReferenceLedger(
      Trace trace,
      SimulationSettings settings,
      int blockSize,
      List<ReferenceWorker> workers,
      ReferenceRouter router,
      ReferenceBlockNames blocks,
      List<ReferenceRow> rows) {
    this.trace = trace;
    this.settings = settings;
    this.blockSize = blockSize;
    this.workers = workers;
    this.router = router;
    this.blocks = blocks;
    this.rows = rows;
  }

  void scheduled(long key) {
    scheduledEver.add(key);
  }

  void computed(long key) {
    computedEver.add(key);
  }

  /** A step computes tokens of a request that nobody can find yet. */
  void computing(ReferenceRow row, int from, int to) {
    for (int i = 0; i < row.contextKeys.size(); i++) {
      int last = (i + 1) * blockSize - 1;
      if (from <= last && last < to) {
        scheduledEver.add(row.contextKeys.get(i));
      }
    }
  }

  /** Notes what could be found where, and what the router believes of it. */
  void placed(ReferenceRow row, ReferenceWorker worker) {
    List<Long> reusable = reusable(row);
    row.finishedBlocks = leading(reusable, computedEver);
    row.ownBlocks = worker.reach(reusable);
    for (ReferenceWorker other : workers) {
      if (other != worker) {
        row.otherBlocks = Math.max(row.otherBlocks, other.reach(reusable));
        if (router.believes()) {
          row.believedOtherBlocks =
              Math.max(row.believedOtherBlocks, router.believedBlocks(reusable, other.id()));
        }
      }
    }
    if (router.believes()) {
      row.believed = router.believedBlocks(row.promptKeys, worker.id()) * blockSize;
    }
  }

  /** Keys of the blocks that hold the tokens before the limit. */
  List<Long> reusable(ReferenceRow row) {
    return row.promptKeys.subList(0, (row.limitTokens + blockSize - 1) / blockSize);
  }

  private static int leading(List<Long> keys, Set<Long> set) {
    int count = 0;
    while (count < keys.size() && set.contains(keys.get(count))) {
      count++;
    }
    return count;
  }

  /** The prefill-tax ledger: every input token falls into one class. */
  void charge(ReferenceRow row, int hitTokens) {
    int input = trace.inputTokens(row.request);
    int page = workers.get(row.worker).pageTokens();
    int beforeTail = (input - 1) / page * page;
    row.charge(LedgerClass.HIT_DEVICE, hitTokens);
    row.charge(LedgerClass.TAIL, input - beforeTail);
    row.charge(LedgerClass.UNIDENTIFIED, beforeTail - row.limitTokens);

    int scheduled = leading(reusable(row), scheduledEver);
    int known = Math.max(row.finishedBlocks, scheduled);
    int start = row.limitTokens;
    for (int token = hitTokens; token < row.limitTokens; token++) {
      int block = token / blockSize;
      if (block >= known) {
        start = token;
        break;
      }
      row.charge(classOf(row, token), 1);
    }
    missedAsPrefill.addAll(
        row.promptKeys.subList(hitTokens / blockSize, row.limitTokens / blockSize));
    if (start < row.limitTokens) {
      int rewritten = rewrittenTokens(row, start, row.limitTokens);
      row.charge(LedgerClass.REWRITTEN, rewritten);
      row.charge(LedgerClass.NEW, row.limitTokens - start - rewritten);
    }
  }

  /** Why a token that had been scheduled before was not found. */
  private LedgerClass classOf(ReferenceRow row, int token) {
    int block = token / blockSize;
    if (block >= row.finishedBlocks) {
      return LedgerClass.IN_FLIGHT;
    }
    if (token < row.residentTokens) {
      return LedgerClass.UNALIGNED;
    }
    if (block < row.ownBlocks) {
      return LedgerClass.QUEUE_EVICTED;
    }
    if (block < row.otherBlocks) {
      return block < row.believedOtherBlocks
          ? LedgerClass.MISPLACED_CHOSEN
          : LedgerClass.MISPLACED_BLIND;
    }
    return LedgerClass.EVICTED;
  }

  /** Tokens in [start, end) where the session's previous turn had other content. */
  private int rewrittenTokens(ReferenceRow row, int start, int end) {
    int turn = trace.turn(row.request);
    if (turn == 0) {
      return 0;
    }
    int request = trace.request(trace.session(row.request), turn - 1);
    int place = row.copy * trace.requestCount() + request;
    if (place >= rows.size() || !rows.get(place).sent()) {
      return 0;
    }
    ReferenceRow before = rows.get(place);
    int length = trace.inputTokens(request) + trace.outputTokens(request);
    int prompt = before.promptKeys.size();
    if (blocks.outputComesBack(before.row)
        && trace.inputTokens(row.request) >= length
        && ReferenceBlockNames.common(before.promptKeys, row.promptKeys) == prompt) {
      return 0;
    }
    int same = ReferenceBlockNames.common(before.contextKeys, row.promptKeys) * blockSize;
    return Math.max(0, Math.min(end, length) - Math.max(start, same));
  }

  /** Distinct keys that were computed as prefill and never in any other way. */
  long prefilledOnly() {
    Set<Long> keys = new HashSet<>(missedAsPrefill);
    // A drafted token's KV is written, the last one's too.
    boolean drafts =
        settings.pools().stream().anyMatch(pool -> pool.scheduler().speculation().active());
    for (ReferenceRow row : rows) {
      if (row.admitted()) {
        int written = drafts ? row.outputs : Math.max(0, row.outputs - 1);
        int full = (trace.inputTokens(row.request) + written) / blockSize;
        for (int i = row.limitTokens / blockSize; i < Math.min(full, row.contextKeys.size()); i++) {
          keys.remove(row.contextKeys.get(i));
        }
      }
    }
    return keys.size();
  }
}
