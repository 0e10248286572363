package io.orrery.engine;

import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
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
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Settings and sums that the tests of whole runs share. */
final class Runs {
  static final Catalog CATALOG = Catalog.bundled();

  private Runs() {}

  /** MiniMax-M2 with NVFP4 weights and FP8 KV on two B200. */
  static Deployment minimax() {
    return new Deployment(
        CATALOG.model("minimax-m2"),
        CATALOG.gpu("b200"),
        2,
        1,
        Precision.weights("nvfp4"),
        Precision.kv("fp8"));
  }

  static StepTimeModel roofline(Deployment deployment) {
    return StepTimeModels.compile(
        "roofline", new StepTimeSetup(deployment, CATALOG, 8192, Map.of()));
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

  /** The preset of July 2026. */
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

  /** SGLang of July 2026, with pages of {@code page} tokens. */
  static SchedulerSettings sglang(int page, int blocks) {
    return scheduler(page, blocks, true)
        .withEngine(
            new EngineRules.Sglang(
                QueueOrder.Policy.FCFS, 8192, 16_384, 4096, 1, RadixEviction.LRU));
  }

  /** TensorRT-LLM of July 2026. */
  static SchedulerSettings tensorRt(int blockSize, int blocks, CapacityPolicy policy) {
    return scheduler(blockSize, blocks, true).withEngine(new EngineRules.TensorRt(policy));
  }

  static RunResult run(
      Trace trace,
      DispatchSettings dispatch,
      int workers,
      SchedulerSettings scheduler,
      StepTimeModel stepTime,
      String policy) {
    return run(trace, dispatch, workers, scheduler, stepTime, policy, 1);
  }

  static RunResult run(
      Trace trace,
      DispatchSettings dispatch,
      int workers,
      SchedulerSettings scheduler,
      StepTimeModel stepTime,
      String policy,
      long seed) {
    PoolSettings pool = new PoolSettings("main", workers, 2, scheduler, stepTime);
    SimulationSettings settings =
        new SimulationSettings(
            dispatch,
            List.of(pool),
            RoutingPolicies.named(policy),
            new TreeMap<>(),
            1,
            RouterSettings.IDEAL,
            Long.MAX_VALUE,
            seed);
    BlockView view = BlockView.of(trace, scheduler.identityBlockSize(trace.blockSize()));
    return new Simulation(trace, view, settings).run();
  }

  static long ledger(RunColumns columns, LedgerClass kind) {
    long sum = 0;
    for (int row = 0; row < columns.rows(); row++) {
      sum += columns.ledger(kind, row);
    }
    return sum;
  }
}
