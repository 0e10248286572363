package io.orrery.engine.cluster;

import io.orrery.engine.cache.BlockFlags;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.WorkerIndex;

/**
 * What is true of every named block, cluster-wide: who holds it now, whether it was ever scheduled
 * and computed, and how it came about. The router's beliefs are kept elsewhere.
 */
final class BlockFacts {
  private static final int SCHEDULED = 1;
  private static final int FINISHED = 2;

  /** Computed as prefill before the tail of a prompt. */
  private static final int PREFILLED = 4;

  /** Produced by decoding, inside a tail, or without identity at the time. */
  private static final int PRODUCED = 8;

  /** Will be produced by decoding if all goes well. */
  private static final int EXPECTED = 16;

  private final WorkerIndex holders;
  private final BlockFlags flags = new BlockFlags();

  BlockFacts(int workers) {
    holders = new WorkerIndex(workers);
  }

  void stored(long key, int worker) {
    holders.add(key, worker);
    flags.mark(key, SCHEDULED);
  }

  /** Of the named blocks from {@code from} to {@code to} a step computes the last tokens. */
  void scheduled(BlockKeys keys, int from, int to) {
    int end = Math.min(to, keys.named());
    for (int i = from; i < end; i++) {
      flags.mark(keys.keyAt(i), SCHEDULED);
    }
  }

  void removed(long key, int worker) {
    holders.remove(key, worker);
  }

  void finished(long key) {
    flags.mark(key, FINISHED);
  }

  /** Every worker's contiguous prefix of the first {@code limit} blocks. */
  void reach(BlockKeys keys, int limit, int[] depths) {
    holders.depths(keys, limit, depths);
  }

  /**
   * Leading blocks that were ever computed. A block is computed only after all before it, so the
   * blocks that have been form a prefix, and the search may start at {@code guess}.
   */
  int finishedPrefix(BlockKeys keys, int guess, int limit) {
    int from = guess;
    while (from > 0 && (flags.get(keys.keyAt(from - 1)) & FINISHED) == 0) {
      from--;
    }
    return flags.leadingWith(keys, from, limit, FINISHED);
  }

  /** Leading blocks that were ever scheduled, of which the first {@code known} are known to be. */
  int scheduledPrefix(BlockKeys keys, int known, int limit) {
    return flags.leadingWith(keys, known, limit, SCHEDULED);
  }

  /** The named blocks from {@code from} on are about to be produced by decoding. */
  void expected(BlockKeys keys, int from) {
    for (int i = from; i < keys.named(); i++) {
      flags.mark(keys.keyAt(i), EXPECTED);
    }
  }

  boolean isExpected(long key) {
    return (flags.get(key) & EXPECTED) != 0;
  }

  void prefilled(BlockKeys keys, int from, int to) {
    for (int i = from; i < to; i++) {
      flags.mark(keys.keyAt(i), PREFILLED);
    }
  }

  void produced(BlockKeys keys, int from, int to) {
    int end = Math.min(to, keys.named());
    for (int i = from; i < end; i++) {
      flags.mark(keys.keyAt(i), PRODUCED);
    }
  }

  /** Distinct blocks that had to be computed as prefill, whatever the cache. */
  long prefilledOnly() {
    return flags.count(PREFILLED, PRODUCED);
  }
}
