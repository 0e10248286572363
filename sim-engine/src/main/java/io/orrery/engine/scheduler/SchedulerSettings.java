package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockPool;

/**
 * What the scheduler of one worker is configured with. Settings that an engine does not know have
 * no effect on it.
 *
 * @param blockSize tokens in a KV block
 * @param blocks physical KV blocks, including the null block that is never used
 * @param maxBatchedTokens token budget of one step
 * @param maxSequences requests that may be running at once
 * @param maxModelLength tokens of prompt and output that one request may reach
 * @param longPrefillThreshold most new tokens that one request gets in a step; 0 is no limit
 * @param prefixCaching whether blocks keep keys and can be found again
 * @param chunkedPrefill whether a prompt may be split over steps
 * @param priorities order by (priority, arrival) instead of first come, first served
 * @param reserveFullPrompt admit a request only when blocks for all its known tokens are free at
 *     that moment
 * @param asynchronous schedule the next step before the output of the current one is known
 * @param watermark share of the blocks that must stay free when a request is admitted beside
 *     running ones
 * @param unkeyedToFront released blocks without a key are reused first (vLLM since June 2026)
 * @param countEveryLookUp statistics count each look-up of a blocked head, not one per admission
 *     (vLLM before June 2026)
 * @param engine which engine schedules
 * @param state what recurrent layers ask of the pool
 * @param speculation what is drafted for decodes; vLLM only
 */
public record SchedulerSettings(
    int blockSize,
    int blocks,
    int maxBatchedTokens,
    int maxSequences,
    int maxModelLength,
    int longPrefillThreshold,
    boolean prefixCaching,
    boolean chunkedPrefill,
    boolean priorities,
    boolean reserveFullPrompt,
    boolean asynchronous,
    double watermark,
    boolean unkeyedToFront,
    boolean countEveryLookUp,
    EngineRules engine,
    RecurrentState state,
    Speculation speculation) {

  public SchedulerSettings {
    require(blockSize > 0, "blockSize", blockSize, "a positive number");
    require(blocks > 1, "blocks", blocks, "at least 2");
    require(maxBatchedTokens > 0, "maxBatchedTokens", maxBatchedTokens, "a positive number");
    require(maxSequences > 0, "maxSequences", maxSequences, "a positive number");
    require(maxModelLength > 1, "maxModelLength", maxModelLength, "at least 2");
    require(longPrefillThreshold >= 0, "longPrefillThreshold", longPrefillThreshold, "0 or more");
    require(watermark >= 0 && watermark < 1, "watermark", watermark, "a share in [0, 1)");
    require(
        state.snapshotTokens() % blockSize == 0 || blockSize % state.snapshotTokens() == 0,
        "snapshotTokens",
        state.snapshotTokens(),
        "a multiple or a divisor of the block size, " + blockSize);
    require(
        !speculation.active() || engine instanceof EngineRules.Vllm,
        "speculation",
        speculation,
        "none for engines other than vLLM");
    require(
        !(engine instanceof EngineRules.Sglang rules)
            || rules.chunkedPrefillTokens() % blockSize == 0,
        "chunkedPrefillTokens",
        engine,
        "a multiple of the page size, " + blockSize);
    require(
        !(engine instanceof EngineRules.TensorRt && chunkedPrefill && maxBatchedTokens < blockSize),
        "maxBatchedTokens",
        maxBatchedTokens,
        "at least a block of " + blockSize + " tokens, since chunks are whole blocks");
    require(
        state.blocksPerSequence() < blocks - 1,
        "blocksPerSequence",
        state.blocksPerSequence(),
        "less than the pool of " + blocks + " blocks");
  }

  /** Settings of vLLM's scheduler, for a model without recurrent layers. */
  public SchedulerSettings(
      int blockSize,
      int blocks,
      int maxBatchedTokens,
      int maxSequences,
      int maxModelLength,
      int longPrefillThreshold,
      boolean prefixCaching,
      boolean chunkedPrefill,
      boolean priorities,
      boolean reserveFullPrompt,
      boolean asynchronous,
      double watermark,
      boolean unkeyedToFront,
      boolean countEveryLookUp) {
    this(
        blockSize,
        blocks,
        maxBatchedTokens,
        maxSequences,
        maxModelLength,
        longPrefillThreshold,
        prefixCaching,
        chunkedPrefill,
        priorities,
        reserveFullPrompt,
        asynchronous,
        watermark,
        unkeyedToFront,
        countEveryLookUp,
        EngineRules.VLLM,
        RecurrentState.NONE,
        Speculation.NONE);
  }

  /**
   * The same settings with KV memory that never runs out and a cache that forgets nothing; {@code
   * maxModelLength} stays. A reference, not a worker that exists.
   */
  public SchedulerSettings withUnlimitedBlocks() {
    return new SchedulerSettings(
        blockSize,
        BlockPool.UNLIMITED,
        maxBatchedTokens,
        maxSequences,
        maxModelLength,
        longPrefillThreshold,
        prefixCaching,
        chunkedPrefill,
        priorities,
        reserveFullPrompt,
        asynchronous,
        watermark,
        unkeyedToFront,
        countEveryLookUp,
        engine,
        state,
        speculation);
  }

  /** Whether KV memory never runs out. */
  public boolean unlimitedBlocks() {
    return blocks >= BlockPool.UNLIMITED;
  }

  /** The same settings for another engine. */
  public SchedulerSettings withEngine(EngineRules other) {
    return with(other, state, speculation);
  }

  /** The same settings for a model whose recurrent layers ask for {@code other}. */
  public SchedulerSettings withState(RecurrentState other) {
    return with(engine, other, speculation);
  }

  /** The same settings with drafted tokens. */
  public SchedulerSettings withSpeculation(Speculation other) {
    return with(engine, state, other);
  }

  private SchedulerSettings with(EngineRules rules, RecurrentState recurrent, Speculation drafts) {
    return new SchedulerSettings(
        blockSize,
        blocks,
        maxBatchedTokens,
        maxSequences,
        maxModelLength,
        longPrefillThreshold,
        prefixCaching,
        chunkedPrefill,
        priorities,
        reserveFullPrompt,
        asynchronous,
        watermark,
        unkeyedToFront,
        countEveryLookUp,
        rules,
        recurrent,
        drafts);
  }

  /** Blocks that can hold something: vLLM never uses one of its own. */
  public int usableBlocks() {
    return engine instanceof EngineRules.Vllm ? blocks - 1 : blocks;
  }

  /** The longest prompt and output that the pool holds beside the state of one request. */
  public int contextThatFits() {
    long tokens = (long) (usableBlocks() - state.blocksPerSequence()) * blockSize;
    // SGLang's admission keeps a page and a token beside prompt and output.
    long kept = engine instanceof EngineRules.Sglang ? blockSize + 1L : 0;
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, tokens - kept));
  }

  /**
   * The longest prompt and output that one request can reach, given the model, the pool and,
   * without chunking, the budget.
   */
  public int longestContext() {
    int length = Math.min(maxModelLength, contextThatFits());
    boolean wholePrompts = !chunkedPrefill && !(engine instanceof EngineRules.Sglang);
    return wholePrompts ? Math.min(length, maxBatchedTokens) : length;
  }

  /**
   * Tokens of the blocks by which contents are told apart, for a trace of blocks of {@code
   * traceBlockSize} tokens. Pages of SGLang may be smaller: no part of a trace block is known.
   */
  public int identityBlockSize(int traceBlockSize) {
    return engine instanceof EngineRules.Sglang ? Math.max(blockSize, traceBlockSize) : blockSize;
  }

  /** Blocks that the watermark keeps free. */
  public int watermarkBlocks() {
    return (int) (watermark * blocks);
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + ": found " + value + ", expected " + expected);
    }
  }
}
