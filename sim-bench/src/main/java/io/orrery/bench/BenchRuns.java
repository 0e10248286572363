package io.orrery.bench;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.EngineRules.CapacityPolicy;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The runs that benchmarks measure. */
final class BenchRuns {
  private static final Catalog CATALOG = Catalog.bundled();

  private BenchRuns() {}

  /**
   * A file below the folder that the system property {@code orrery.data} names.
   *
   * @throws IllegalStateException saying what is missing
   */
  static Path data(String file) {
    String folder = System.getProperty("orrery.data");
    if (folder == null) {
      throw new IllegalStateException("needs the folder of recorded traces: -Dorrery.data=DIR");
    }
    Path path = Path.of(folder, "traces", file);
    if (!Files.isRegularFile(path)) {
      throw new IllegalStateException(path + ": no such file");
    }
    return path;
  }

  static StepTimeModel polynomial() {
    Deployment any =
        new Deployment(
            CATALOG.model("llama-3.1-8b"),
            CATALOG.gpu("h100"),
            1,
            1,
            Precision.weights("bf16"),
            Precision.kv("bf16"));
    return StepTimeModels.compile("polynomial", new StepTimeSetup(any, CATALOG, 8192, Map.of()));
  }

  /** Qwen3-Coder-30B-A3B in FP8 on one B200. */
  static Deployment qwen() {
    return new Deployment(
        CATALOG.model("qwen3-coder-30b-a3b"),
        CATALOG.gpu("b200"),
        1,
        1,
        Precision.weights("fp8"),
        Precision.kv("fp8"));
  }

  /** Llama-3.1-8B in FP8 on one H100. */
  static Deployment llama() {
    return new Deployment(
        CATALOG.model("llama-3.1-8b"),
        CATALOG.gpu("h100"),
        1,
        1,
        Precision.weights("fp8"),
        Precision.kv("fp8"));
  }

  static StepTimeModel roofline(Deployment deployment) {
    return stepTime("roofline", deployment);
  }

  /** Step times of a kind without parameters. */
  static StepTimeModel stepTime(String kind, Deployment deployment) {
    return StepTimeModels.compile(kind, new StepTimeSetup(deployment, CATALOG, 8192, Map.of()));
  }

  /** A catalogued model in FP8 on some B200. */
  static Deployment worker(String model, int tensorParallel) {
    return new Deployment(
        CATALOG.model(model),
        CATALOG.gpu("b200"),
        tensorParallel,
        1,
        Precision.weights("fp8"),
        Precision.kv("fp8"));
  }

  static int kvBlocks(Deployment deployment, int blockSize) {
    return (int)
        MemoryFootprint.of(
                deployment,
                CATALOG.memoryRules().engine("vllm-2026-07"),
                OptionalDouble.empty(),
                8192,
                1024)
            .kvBlocks(blockSize);
  }

  static SchedulerSettings scheduler(int blockSize, int blocks, boolean asynchronous) {
    return new SchedulerSettings(
        blockSize,
        blocks,
        8192,
        1024,
        1 << 20,
        0,
        true,
        true,
        false,
        true,
        asynchronous,
        0,
        true,
        false);
  }

  /** The rules of an engine, with the defaults of July 2026. */
  static EngineRules engine(String name) {
    return switch (name) {
      case "sglang" ->
          new EngineRules.Sglang(QueueOrder.Policy.FCFS, 8192, 16_384, 4096, 1, RadixEviction.LRU);
      case "trtllm" -> new EngineRules.TensorRt(CapacityPolicy.GUARANTEED_NO_EVICT);
      default -> EngineRules.VLLM;
    };
  }

  static Simulation simulation(
      Trace trace,
      DispatchSettings dispatch,
      int workers,
      SchedulerSettings scheduler,
      StepTimeModel stepTime,
      String policy) {
    return new Simulation(
        trace,
        BlockView.of(trace, scheduler.identityBlockSize(trace.blockSize())),
        new SimulationSettings(
            dispatch,
            List.of(new PoolSettings("main", workers, 1, scheduler, stepTime)),
            RoutingPolicies.named(policy),
            new TreeMap<>(),
            1,
            RouterSettings.IDEAL,
            Long.MAX_VALUE,
            1));
  }
}
