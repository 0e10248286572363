package io.orrery.scenarios.spec;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The serving engine of every worker. What its preset does not know has the value that has no
 * effect.
 *
 * @param preset the dated preset, whose rules hold where keys do not say otherwise
 * @param blockSize tokens of a KV block
 * @param kvBlocks KV blocks of a worker; empty is what memory leaves
 * @param maxBatchedTokens most tokens of one step
 * @param maxSequences most running requests of a worker
 * @param maxModelLength most tokens of prompt and output; empty is the model's limit or the pool,
 *     whichever is smaller
 * @param priorityScheduling true for order by priority, false for first come, first served
 * @param longPrefillTokenThreshold most prompt tokens of one request in a step; 0 for no limit
 * @param reserveFullPrompt whether admission needs free blocks for the whole prompt
 * @param watermark share of the blocks to keep free at admission, 0 to 1
 * @param capacityPolicy TensorRT-LLM's admission; empty for other engines
 * @param sglang what SGLang alone has; empty for other engines
 * @param speculation speculative decoding
 */
public record EngineSpec(
    String preset,
    int blockSize,
    OptionalInt kvBlocks,
    int maxBatchedTokens,
    int maxSequences,
    boolean chunkedPrefill,
    boolean prefixCaching,
    boolean asyncScheduling,
    OptionalInt maxModelLength,
    boolean priorityScheduling,
    int longPrefillTokenThreshold,
    boolean reserveFullPrompt,
    double watermark,
    Optional<String> capacityPolicy,
    Optional<Sglang> sglang,
    SpeculationSpec speculation) {

  /**
   * Settings of SGLang's scheduler.
   *
   * @param schedulePolicy order of waiting requests
   * @param scheduleConservativeness scales the reserved share of possible output
   * @param chunkedPrefillSize most prompt tokens of a prefill pass; 0 for no limit
   * @param maxPrefillTokens prompt tokens from which on a pass takes no further request
   */
  public record Sglang(
      String schedulePolicy,
      double scheduleConservativeness,
      int chunkedPrefillSize,
      int maxPrefillTokens) {}
}
