package io.orrery.engine.record;

import io.orrery.engine.cache.BlockPool;

/** What one worker did. Times are nanoseconds. */
public final class WorkerStats {
  private static final int LEVELS = 1000;

  private final int worker;
  private final int gpus;
  private final int usableBlocks;
  private final int blockTokens;
  private long steps;
  private long prefillBusyNanos;
  private long decodeBusyNanos;
  private long preemptions;
  private long requests;
  private long evictedKeys;
  private long verifications;
  private long draftedTokens;
  private long acceptedTokens;
  private long plainDecodeNanos;
  private final long[] nanosAtLevel = new long[LEVELS + 1];
  private long usedBlockNanos;
  private long levelSince;
  private int usedBlocks;
  private int peakBlocks;
  private final LevelHistory usedHistory = new LevelHistory();
  private final LevelHistory keptHistory = new LevelHistory();
  private int keptBlocks;
  private long keptSince;

  /**
   * @param blockTokens tokens of a KV block
   */
  public WorkerStats(int worker, int gpus, int usableBlocks, int blockTokens) {
    this.worker = worker;
    this.gpus = gpus;
    this.usableBlocks = usableBlocks;
    this.blockTokens = blockTokens;
  }

  public int worker() {
    return worker;
  }

  public int gpus() {
    return gpus;
  }

  /** Tokens of a KV block. */
  public int blockTokens() {
    return blockTokens;
  }

  /** Usable KV blocks. */
  public int usableBlocks() {
    return usableBlocks;
  }

  /** Whether its KV memory never runs out: a reference, of which no share can be told. */
  public boolean unlimited() {
    return usableBlocks >= BlockPool.UNLIMITED - 1;
  }

  /** Forward passes with at least one token. */
  public long steps() {
    return steps;
  }

  /** Time of the steps beyond what their decodes alone would have taken. */
  public long prefillBusyNanos() {
    return prefillBusyNanos;
  }

  /** Time that the decodes of the steps alone take. */
  public long decodeBusyNanos() {
    return decodeBusyNanos;
  }

  public long preemptions() {
    return preemptions;
  }

  /** Requests placed here. */
  public long requests() {
    return requests;
  }

  /** Named keys whose last copy here was evicted. */
  public long evictedKeys() {
    return evictedKeys;
  }

  /** Decodes that verified drafted tokens. */
  public long verifications() {
    return verifications;
  }

  /** Drafted tokens that were verified. */
  public long draftedTokens() {
    return draftedTokens;
  }

  /** Of these, the ones that became output. */
  public long acceptedTokens() {
    return acceptedTokens;
  }

  /**
   * Time that the decodes of the steps alone would take if each computed its next token and no
   * drafts; 0 where nothing is drafted.
   */
  public long plainDecodeNanos() {
    return plainDecodeNanos;
  }

  /** Most blocks in use at any moment. */
  public int peakBlocks() {
    return peakBlocks;
  }

  /** Integral of used blocks over time, in block-nanoseconds. */
  public long usedBlockNanos() {
    return usedBlockNanos;
  }

  /** How the blocks in use went over time. */
  public LevelHistory usedHistory() {
    return usedHistory;
  }

  /**
   * How the blocks whose content can be found again went over time, in use or not; several copies
   * of one content count once, and what belongs to one request alone does not count.
   */
  public LevelHistory keptHistory() {
    return keptHistory;
  }

  /** Time spent with {@code level} thousandths of the pool in use (rounded down). */
  public long nanosAtLevel(int level) {
    return nanosAtLevel[level];
  }

  public void step(long prefillNanos, long decodeNanos) {
    steps++;
    prefillBusyNanos += prefillNanos;
    decodeBusyNanos += decodeNanos;
  }

  /** The decodes of a step would take so long without drafted tokens. */
  public void withoutDrafts(long nanos) {
    plainDecodeNanos += nanos;
  }

  public void decodeSteps(int count, long nanos) {
    steps += count;
    decodeBusyNanos += nanos;
  }

  public void verified(int drafts, int accepted) {
    verifications++;
    draftedTokens += drafts;
    acceptedTokens += accepted;
  }

  public void preempted() {
    preemptions++;
  }

  public void placed() {
    requests++;
  }

  public void evicted(int keys) {
    evictedKeys += keys;
  }

  /** From {@code now} on so many more blocks can be found again. */
  public void keep(long now, int change) {
    if (now > keptSince) {
      settleKept(now);
    }
    keptBlocks += change;
  }

  private void settleKept(long now) {
    keptHistory.add(keptSince, now, keptBlocks);
    keptSince = now;
  }

  /** From {@code now} on so many blocks are in use. */
  public void use(long now, int blocks) {
    if (blocks == usedBlocks) {
      return;
    }
    settle(now);
    usedBlocks = blocks;
    peakBlocks = Math.max(peakBlocks, blocks);
  }

  /** Accounts for the time up to {@code now}. */
  public void settle(long now) {
    long span = now - levelSince;
    if (span > 0) {
      nanosAtLevel[(int) ((long) usedBlocks * LEVELS / usableBlocks)] += span;
      usedBlockNanos += span * usedBlocks;
      usedHistory.add(levelSince, now, usedBlocks);
      levelSince = now;
    }
  }

  /** Accounts for everything to the end of the run at {@code now}. */
  public void settleAll(long now) {
    settle(now);
    if (now > keptSince) {
      settleKept(now);
    }
  }

  /** Blocks in use now. */
  public int usedBlocks() {
    return usedBlocks;
  }
}
