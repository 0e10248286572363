package io.orrery.engine.reference;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.LedgerClass;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What became of one request. Times are nanoseconds, -1 for never. */
final class ReferenceRow {
  final int row;
  final int request;
  final int copy;

  RequestState state = RequestState.TO_ARRIVE;
  int worker = -1;
  long arrival = -1;
  long admitted = -1;
  int routerChoice = -1;
  String holdReason = "";
  long placed = -1;
  long queued = -1;
  long scheduled = -1;
  long firstToken = -1;
  long secondToken = -1;
  long lastToken = -1;
  long end = -1;
  int outputs;
  int clipped;
  int preemptions;
  int redo;
  int believed = -1;

  /** Prompt tokens that count as prefill in the router's ledger. */
  int uncached;

  /** What admission asked of the router: a worker or -1, and a head start in seconds. */
  int pinned = -1;

  double jump;

  /** In the router's queue: since when, and how good its turn is. */
  long waitsSince;

  double score;
  int ends;
  final Map<LedgerClass, Integer> ledger = new EnumMap<>(LedgerClass.class);

  /** Keys of the blocks with known content: of the prompt, and of prompt and output. */
  List<Long> promptKeys = new ArrayList<>();

  List<Long> contextKeys = new ArrayList<>();

  /** Leading tokens of the prompt that the chosen worker may find. */
  int limitTokens;

  // Noted at placement, in blocks.
  int finishedBlocks;
  int ownBlocks;
  int otherBlocks;
  int believedOtherBlocks;

  /** Leading tokens that its look-up found, be they of use or not. */
  int residentTokens;

  /** Most tokens that it had computed when it was preempted. */
  int mostComputed;

  ReferenceRow(int row, int requestsPerCopy) {
    this.row = row;
    this.request = row % requestsPerCopy;
    this.copy = row / requestsPerCopy;
  }

  boolean sent() {
    return arrival >= 0;
  }

  boolean admitted() {
    return scheduled >= 0;
  }

  void charge(LedgerClass kind, int tokens) {
    if (tokens < 0) {
      throw new IllegalStateException(row + " " + kind + " " + tokens);
    }
    if (tokens > 0) {
      ledger.merge(kind, tokens, Integer::sum);
    }
  }

  int charged(LedgerClass kind) {
    return ledger.getOrDefault(kind, 0);
  }
}
