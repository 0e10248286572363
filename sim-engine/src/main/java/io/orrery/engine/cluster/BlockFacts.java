package io.orrery.engine.cluster;

import io.orrery.engine.cache.BlockFlags;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.WorkerIndex;

/**
 * What is true of every named block, cluster-wide: who holds it now, whether it was ever scheduled
 * and computed, and how it came about. It is known as long as a request may ask; then the block's
 * page is forgotten, and what happens to it afterwards is ignored. The router's beliefs are kept
 * elsewhere.
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

  private final BlockClaims claims;

  /** Of the blocks forgotten: those that had to be computed as prefill. */
  private long prefilledAndForgotten;

  BlockFacts(int workers, BlockClaims claims) {
    holders = new WorkerIndex(workers);
    this.claims = claims;
  }

  /** The request of a row has ended, or will never be sent: it asks about nothing any more. */
  void release(int row) {
    claims.release(row, this::forget);
  }

  private void forget(long pageKey) {
    prefilledAndForgotten += flags.forgetPageOf(pageKey, PREFILLED, PRODUCED);
    holders.forgetPageOf(pageKey);
  }

  /** Pages of keys of which something is known. */
  int pages() {
    return Math.max(flags.pages(), holders.pages());
  }

  private boolean mayBeAsked(long key) {
    return flags.knowsPageOf(key) || claims.open(key);
  }

  /** A worker has its first copy of the keys from {@code one} to {@code other}, in any order. */
  void stored(long one, long other, int worker) {
    long end = Math.max(one, other) + 1;
    for (long key = Math.min(one, other); key < end; ) {
      int count = inPage(key, end);
      if (mayBeAsked(key)) {
        flags.mark(key, count, SCHEDULED);
        holders.add(key, count, worker);
      }
      key += count;
    }
  }

  /** Of the keys from {@code key} to {@code end}, those in the page of the first. */
  private static int inPage(long key, long end) {
    return (int) (Math.min(end, (key | (BlockFlags.PAGE_KEYS - 1)) + 1) - key);
  }

  /** Of the named blocks from {@code from} to {@code to} a step computes the last tokens. */
  void scheduled(BlockKeys keys, int from, int to) {
    flags.mark(keys, from, Math.min(to, keys.named()), SCHEDULED);
  }

  /** A worker has no copy of the keys from {@code one} to {@code other} any more. */
  void removed(long one, long other, int worker) {
    holders.remove(Math.min(one, other), (int) Math.abs(other - one) + 1, worker);
  }

  /** The blocks of the keys from {@code one} to {@code other} have been computed. */
  void finished(long one, long other) {
    long end = Math.max(one, other) + 1;
    for (long key = Math.min(one, other); key < end; ) {
      int count = inPage(key, end);
      if (mayBeAsked(key)) {
        flags.mark(key, count, FINISHED);
      }
      key += count;
    }
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
    flags.mark(keys, from, keys.named(), EXPECTED);
  }

  boolean isExpected(long key) {
    return (flags.get(key) & EXPECTED) != 0;
  }

  void prefilled(BlockKeys keys, int from, int to) {
    flags.mark(keys, from, to, PREFILLED);
  }

  void produced(BlockKeys keys, int from, int to) {
    flags.mark(keys, from, Math.min(to, keys.named()), PRODUCED);
  }

  /** Distinct blocks that had to be computed as prefill, whatever the cache. */
  long prefilledOnly() {
    return prefilledAndForgotten + flags.count(PREFILLED, PRODUCED);
  }
}
