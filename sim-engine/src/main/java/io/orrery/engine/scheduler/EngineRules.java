package io.orrery.engine.scheduler;

import io.orrery.engine.cache.RadixEviction;

/** Which engine schedules, with the settings that it alone has. */
public sealed interface EngineRules {
  /** vLLM V1. */
  Vllm VLLM = new Vllm();

  /** vLLM V1: {@link VllmScheduler}. */
  record Vllm() implements EngineRules {}

  /**
   * TensorRT-LLM.
   *
   * @param capacity when a request is admitted, and what happens when blocks run out
   */
  record TensorRt(CapacityPolicy capacity) implements EngineRules {}

  /** TensorRT-LLM's capacity scheduler. */
  enum CapacityPolicy {
    /** Admits what can run to its end without taking a block from anybody. */
    GUARANTEED_NO_EVICT,
    /** Admits what fits now; pauses the newest request when a running one cannot grow. */
    MAX_UTILIZATION
  }

  /**
   * SGLang.
   *
   * @param order how waiting requests are ordered
   * @param chunkedPrefillTokens most new tokens of a prefill pass; 0 where prompts are not split
   * @param maxPrefillTokens new tokens from which on a prefill pass takes no further request
   * @param clipMaxNewTokens output tokens that are reserved for a request at most
   * @param conservativeness scales the share of the possible output that is reserved
   * @param eviction which leaf of the radix tree goes first
   */
  record Sglang(
      QueueOrder.Policy order,
      int chunkedPrefillTokens,
      int maxPrefillTokens,
      int clipMaxNewTokens,
      double conservativeness,
      RadixEviction eviction)
      implements EngineRules {
    public Sglang {
      require(chunkedPrefillTokens >= 0, "chunkedPrefillTokens", chunkedPrefillTokens, "0 or more");
      require(maxPrefillTokens > 0, "maxPrefillTokens", maxPrefillTokens, "a positive number");
      require(clipMaxNewTokens > 0, "clipMaxNewTokens", clipMaxNewTokens, "a positive number");
      require(
          conservativeness >= 0 && conservativeness < 1e6,
          "conservativeness",
          conservativeness,
          "a number in [0, 1000000)");
    }

    private static void require(boolean holds, String name, Object value, String expected) {
      if (!holds) {
        throw new IllegalArgumentException(name + ": found " + value + ", expected " + expected);
      }
    }
  }
}
