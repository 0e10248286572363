package io.orrery.scenarios.fidelity;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.Draws;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.DoesNotFitException;
import io.orrery.models.HostCosts;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModel;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.measured.SourceNames;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Makes replays of measured closed loops: so many lanes, ten prompts for each, lengths uniform
 * between 80 and 100 % of the nominal ones. The warm-ups before them are left out, exactly: they
 * have ended before the first counted request is sent, and without a prefix cache nothing remains.
 */
final class ClosedLoops {
  private static final int PROMPTS_PER_LANE = 10;
  private static final double SHORTEST = 0.8;
  private static final double MEMORY_SHARE = 0.9;
  private static final int MOST_BLOCKS = 1 << 22;

  /** A multiple of every block size below; the prompts have no blocks in common. */
  private static final int TRACE_BLOCK = 64;

  /** Output tokens that SGLang reserves for a request at most, its default. */
  private static final int SGLANG_CLIP = 4096;

  /** Tokens of a block: what the engines use. */
  private static final Map<String, Integer> BLOCK_SIZE =
      Map.of("vllm", 16, "trtllm", 32, "sglang", 64);

  private static final Map<String, String> MEMORY_PRESET =
      Map.of("vllm", "vllm-0.19", "trtllm", "trtllm-2026-07", "sglang", "sglang-2026-07");

  private final Catalog catalog;
  private final StepTimeChoice stepTimes;
  private final ServingSettings.Table serving = ServingSettings.Table.bundled();
  private final Map<String, Trace> traces = new ConcurrentHashMap<>();
  private final Map<String, Function<HostCosts, StepTimeModel>> workers = new ConcurrentHashMap<>();

  ClosedLoops(Catalog catalog, StepTimeChoice stepTimes) {
    this.catalog = catalog;
    this.stepTimes = stepTimes;
  }

  /** The base of an engine's host constants. */
  HostCosts shipped(String engine) {
    return catalog.hostCosts(engine);
  }

  /** How the engine of a measurement was started. */
  ServingSettings settings(ClosedLoopRow row) {
    return serving.of(row, weights(row));
  }

  private static Precision weights(ClosedLoopRow row) {
    return SourceNames.weights(row.denseFormat(), row.expertFormat());
  }

  /**
   * The replay of a measured configuration.
   *
   * @throws IllegalArgumentException if the engine did what no replay does, or the worker cannot be
   *     built or timed, saying why
   * @throws DoesNotFitException if its memory does not hold the model
   */
  Replay replay(ClosedLoopRow row) {
    Precision weights = weights(row);
    ServingSettings settings = settings(row);
    if (settings.use() == ServingSettings.Use.SKIP) {
      throw new IllegalArgumentException(settings.note());
    }
    Deployment worker =
        new Deployment(
            catalog.model(SourceNames.model(row.model())),
            catalog.gpu(SourceNames.gpu(row.system())),
            row.tensorParallel() * row.attentionParallel(),
            row.pipelineParallel(),
            row.expertParallel(),
            row.attentionParallel(),
            0,
            weights,
            settings.kv());
    Function<HostCosts, StepTimeModel> time =
        workers.computeIfAbsent(
            worker + " " + row.expertParallel() + " " + row.attentionParallel() + " " + settings,
            key ->
                stepTimes.of(
                    catalog,
                    worker,
                    settings.batchedTokens(),
                    Map.of(
                        "kernels", settings.kernels(), "expertKernels", settings.expertKernels())));
    return new Replay(
            trace(row),
            new DispatchSettings.Lanes(row.concurrency(), false, false),
            worker.gpus(),
            scheduler(row, worker, settings),
            time)
        .requireTimed();
  }

  private SchedulerSettings scheduler(
      ClosedLoopRow row, Deployment worker, ServingSettings settings) {
    int blockSize = BLOCK_SIZE.getOrDefault(row.engine(), 16);
    MemoryFootprint memory =
        MemoryFootprint.of(
            worker,
            catalog.memoryRules().engine(MEMORY_PRESET.getOrDefault(row.engine(), "vllm-0.19")),
            OptionalDouble.of(MEMORY_SHARE),
            settings.batchedTokens(),
            settings.maxSequences());
    int blocks = (int) Math.min(MOST_BLOCKS, memory.kvBlocks(blockSize));
    int longest = row.inputTokens() + row.outputTokens();
    if ((long) (blocks - 1) * blockSize < longest) {
      throw new IllegalArgumentException(
          "the KV cache holds " + blocks * blockSize + " tokens, less than one request has");
    }
    boolean chunks = !row.engine().equals("trtllm");
    return new SchedulerSettings(
            blockSize,
            blocks,
            settings.batchedTokens(),
            settings.maxSequences(),
            longest + 1,
            0,
            false,
            chunks,
            false,
            true,
            true,
            0,
            true,
            false)
        .withEngine(rules(row.engine(), settings));
  }

  /** The engine's scheduler, with its defaults besides what the measurements were started with. */
  private static EngineRules rules(String engine, ServingSettings settings) {
    return switch (engine) {
      case "trtllm" -> new EngineRules.TensorRt(EngineRules.CapacityPolicy.GUARANTEED_NO_EVICT);
      case "sglang" ->
          new EngineRules.Sglang(
              QueueOrder.Policy.FCFS,
              settings.batchedTokens(),
              settings.batchedTokens(),
              SGLANG_CLIP,
              1,
              RadixEviction.LRU);
      default -> EngineRules.VLLM;
    };
  }

  private Trace trace(ClosedLoopRow row) {
    int requests = PROMPTS_PER_LANE * row.concurrency();
    return traces.computeIfAbsent(
        row.inputTokens() + " " + row.outputTokens() + " " + requests,
        key -> trace(row.inputTokens(), row.outputTokens(), requests));
  }

  private static Trace trace(int input, int output, int requests) {
    Draws draws = new Draws(0, "fidelity.lengths");
    TraceBuilder builder = Trace.builder(TRACE_BLOCK);
    for (int i = 0; i < requests; i++) {
      builder
          .session("s" + i)
          .request("r" + i)
          .input(length(draws, input, i, 0))
          .output(length(draws, output, i, 1))
          .arrival(0);
    }
    return builder.build();
  }

  private static int length(Draws draws, int nominal, int request, int which) {
    int shortest = (int) Math.ceil(SHORTEST * nominal);
    return shortest + draws.below(nominal - shortest + 1, request, which);
  }
}
