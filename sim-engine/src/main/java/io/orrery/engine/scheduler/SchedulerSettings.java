package io.orrery.engine.scheduler;

/**
 * What vLLM's scheduler of one worker is configured with.
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
    boolean countEveryLookUp) {

  public SchedulerSettings {
    require(blockSize > 0, "blockSize", blockSize, "a positive number");
    require(blocks > 1, "blocks", blocks, "at least 2");
    require(maxBatchedTokens > 0, "maxBatchedTokens", maxBatchedTokens, "a positive number");
    require(maxSequences > 0, "maxSequences", maxSequences, "a positive number");
    require(maxModelLength > 1, "maxModelLength", maxModelLength, "at least 2");
    require(longPrefillThreshold >= 0, "longPrefillThreshold", longPrefillThreshold, "0 or more");
    require(watermark >= 0 && watermark < 1, "watermark", watermark, "a share in [0, 1)");
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
