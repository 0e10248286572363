package io.orrery.scenarios.experiment;

import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.EngineRules.CapacityPolicy;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.SpeculationSpec;
import java.util.Locale;
import java.util.OptionalLong;

/** Turns a scenario's engine into settings for its scheduler. */
final class SchedulerMapping {
  /** SGLang's {@code SGLANG_CLIP_MAX_NEW_TOKENS_ESTIMATION}. */
  private static final int CLIP_MAX_NEW_TOKENS = 4096;

  /** SGLang scales conservativeness so with attention data parallelism. */
  private static final double CONSERVATIVENESS_OF_RANKS = 0.3;

  private SchedulerMapping() {}

  /**
   * The settings.
   *
   * @param blocks KV blocks of a worker
   * @param modelLength most tokens of prompt and output
   * @param ranks ranks of attention data parallelism, which are scheduled as one
   */
  static SchedulerSettings settings(EngineSpec engine, int blocks, int modelLength, int ranks) {
    boolean older = engine.preset().equals("vllm-2026-05");
    return new SchedulerSettings(
            engine.blockSize(),
            blocks,
            ofAll(ranks, engine.maxBatchedTokens()),
            ofAll(ranks, engine.maxSequences()),
            modelLength,
            longPrefillThreshold(engine, ranks),
            engine.prefixCaching(),
            engine.chunkedPrefill(),
            engine.priorityScheduling(),
            engine.reserveFullPrompt(),
            engine.asyncScheduling(),
            engine.watermark(),
            !older,
            older)
        .withEngine(rules(engine, ranks))
        .withSpeculation(speculation(engine.speculation()));
  }

  private static Speculation speculation(SpeculationSpec spec) {
    if (spec.method().equals(SpeculationSpec.NO_METHOD)) {
      return Speculation.NONE;
    }
    return new Speculation(
        spec.acceptance().size(),
        spec.acceptance(),
        spec.sampled() ? Speculation.Mode.SAMPLED : Speculation.Mode.EXPECTED,
        spec.hasHead(),
        spec.hasHead() || spec.draftNanos().isPresent() ? spec.draftNanos() : OptionalLong.of(0));
  }

  private static int ofAll(int ranks, int ofOne) {
    return (int) Math.min(Integer.MAX_VALUE, (long) ofOne * ranks);
  }

  /** With ranks, the budget of a step is that of all of them: a prompt takes one rank's at most. */
  private static int longPrefillThreshold(EngineSpec engine, int ranks) {
    int threshold = engine.longPrefillTokenThreshold();
    if (ranks == 1) {
      return threshold;
    }
    int budget = engine.maxBatchedTokens();
    return threshold == 0 ? budget : Math.min(threshold, budget);
  }

  private static EngineRules rules(EngineSpec engine, int ranks) {
    if (engine.sglang().isPresent()) {
      EngineSpec.Sglang sglang = engine.sglang().get();
      return new EngineRules.Sglang(
          QueueOrder.Policy.named(sglang.schedulePolicy()),
          // SGLang splits the chunk among the ranks, so that it is that of all of them.
          sglang.chunkedPrefillSize(),
          ofAll(ranks, sglang.maxPrefillTokens()),
          CLIP_MAX_NEW_TOKENS,
          sglang.scheduleConservativeness() * (ranks > 1 ? CONSERVATIVENESS_OF_RANKS : 1),
          RadixEviction.LRU);
    }
    if (engine.capacityPolicy().isPresent()) {
      String policy = engine.capacityPolicy().get();
      return new EngineRules.TensorRt(
          CapacityPolicy.valueOf(policy.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
    return EngineRules.VLLM;
  }

  /** Tokens of the blocks by which contents of a trace are told apart. */
  static int identityBlockSize(EngineSpec engine, int traceBlockSize) {
    return settings(engine, 2, Integer.MAX_VALUE, 1).identityBlockSize(traceBlockSize);
  }
}
