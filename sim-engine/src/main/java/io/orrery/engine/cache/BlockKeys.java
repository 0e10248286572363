package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * The keys of one request's context, block by block: runs of consecutive keys for the blocks whose
 * content the trace names, and keys of its own for the rest.
 *
 * <p>Mutable so that it can be reused; positions count blocks from the start of the context.
 */
public final class BlockKeys {
  /** Set in every key that belongs to one request alone. */
  public static final long PRIVATE = 1L << 62;

  private static final int POSITION_BITS = 24;

  private long[] runFirst = new long[4];
  private int[] runEnd = new int[4];
  private int runs;
  private int named;
  private long privateBase;
  private int cursor;

  /**
   * Starts over.
   *
   * @param owner a non-negative number below 2^31, distinct among requests that share a worker
   */
  public void reset(int owner) {
    runs = 0;
    named = 0;
    cursor = 0;
    privateBase = PRIVATE | ((long) owner << POSITION_BITS);
  }

  /** Appends {@code length} blocks with keys {@code first, first + 1, …}. */
  public void addRun(long first, int length) {
    if (length == 0) {
      return;
    }
    if (runs == runFirst.length) {
      runFirst = Arrays.copyOf(runFirst, runs * 2);
      runEnd = Arrays.copyOf(runEnd, runs * 2);
    }
    runFirst[runs] = first;
    named += length;
    runEnd[runs++] = named;
  }

  /** A copy that later changes to this one do not touch. */
  public BlockKeys copy() {
    BlockKeys copy = new BlockKeys();
    copy.runFirst = Arrays.copyOf(runFirst, Math.max(1, runs));
    copy.runEnd = Arrays.copyOf(runEnd, Math.max(1, runs));
    copy.runs = runs;
    copy.named = named;
    copy.privateBase = privateBase;
    return copy;
  }

  /** Blocks that the trace names; blocks from this position on have keys of their own. */
  public int named() {
    return named;
  }

  /** Runs of named blocks. */
  public int runs() {
    return runs;
  }

  /** First key of run {@code i}. */
  public long runFirst(int i) {
    return runFirst[i];
  }

  /** Position after the last block of run {@code i}. */
  public int runEnd(int i) {
    return runEnd[i];
  }

  /** The key of the block at {@code position}. */
  public long keyAt(int position) {
    if (position >= named) {
      return privateBase + position;
    }
    int run = cursor;
    if (position >= runEnd[run]) {
      do {
        run++;
      } while (position >= runEnd[run]);
      cursor = run;
    } else if (run > 0 && position < runEnd[run - 1]) {
      do {
        run--;
      } while (run > 0 && position < runEnd[run - 1]);
      cursor = run;
    }
    int start = run == 0 ? 0 : runEnd[run - 1];
    return runFirst[run] + (position - start);
  }

  /** How many blocks from {@code position} on have consecutive keys, at most {@code limit}. */
  public int consecutive(int position, int limit) {
    if (position >= named) {
      return limit;
    }
    keyAt(position);
    return Math.min(limit, runEnd[cursor] - position);
  }

  /**
   * How many blocks from {@code position} on have the keys {@code first, first + 1, …}, at most
   * {@code limit}.
   */
  public int matching(int position, long first, int limit) {
    int matched = 0;
    while (matched < limit && keyAt(position + matched) == first + matched) {
      matched += consecutive(position + matched, limit - matched);
    }
    return matched;
  }

  /** Whether {@code key} belongs to one request alone. */
  public static boolean isPrivate(long key) {
    return (key & PRIVATE) != 0;
  }

  /**
   * Looks up this context's leading blocks in {@code pool}.
   *
   * @param limit blocks to look at, at most
   * @param target receives the blocks found; at least {@code limit} long
   * @return how many leading blocks the pool holds
   */
  public int lookUp(BlockPool pool, int limit, int[] target) {
    int found = 0;
    for (int run = 0; run < runs && found < limit; run++) {
      int length = Math.min(runEnd[run], limit) - found;
      int hits = pool.lookUpRun(runFirst[run], length, target, found);
      found += hits;
      if (hits < length) {
        return found;
      }
    }
    if (found < limit) {
      found += pool.lookUpRun(privateBase + found, limit - found, target, found);
    }
    return found;
  }
}
