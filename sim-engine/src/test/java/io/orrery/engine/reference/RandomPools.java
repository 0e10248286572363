package io.orrery.engine.reference;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.reference.RunSpec.RequestSpec;
import io.orrery.engine.reference.RunSpec.SessionSpec;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.RecurrentState;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Random pools of workers: engines, their limits, and step times that fit the run. */
final class RandomPools {
  private static final StepTimeModel POLYNOMIAL = catalogued("polynomial");
  private static final StepTimeModel ROOFLINE = catalogued("roofline");

  private final SplittableRandom random;
  private final long unitNanos;

  /**
   * @param unitNanos what most times are multiples of
   */
  RandomPools(SplittableRandom random, long unitNanos) {
    this.random = random;
    this.unitNanos = unitNanos;
  }

  private static StepTimeModel catalogued(String kind) {
    Catalog catalog = Catalog.bundled();
    Deployment worker =
        new Deployment(
            catalog.model("llama-3.1-8b"),
            catalog.gpu("h100"),
            1,
            1,
            1,
            1,
            1,
            Precision.BF16,
            Precision.FP8);
    return StepTimeModels.compile(kind, new StepTimeSetup(worker, catalog, 8192, Map.of()));
  }

  List<PoolSettings> pools(List<SessionSpec> sessions, int traceBlock, int block, boolean recycle) {
    int longest = 0;
    for (SessionSpec session : sessions) {
      for (RequestSpec request : session.requests()) {
        longest = Math.max(longest, request.input());
      }
    }
    int workers = 1 + random.nextInt(5);
    StepTimeModel stepTime = stepTime();
    List<PoolSettings> pools = new ArrayList<>();
    SchedulerSettings first = drafting(scheduler(longest, traceBlock, block, recycle), stepTime);
    if (workers > 1 && random.nextInt(5) == 0) {
      StepTimeModel other = stepTime();
      SchedulerSettings second = drafting(scheduler(longest, traceBlock, block, recycle), other);
      String model = random.nextInt(3) == 0 ? "other" : "main";
      pools.add(new PoolSettings("big", 1, 2, first, stepTime, "main", 2.5, List.of("large")));
      pools.add(
          new PoolSettings(
              "small", workers - 1, 1, second, other, model, 1, List.of("near", "spare")));
    } else {
      pools.add(new PoolSettings("main", workers, 1, first, stepTime));
    }
    return pools;
  }

  /** The same settings, with a time of drafting where the step times have none. */
  private static SchedulerSettings drafting(SchedulerSettings settings, StepTimeModel stepTime) {
    Speculation speculation = settings.speculation();
    if (speculation.draftNanos().isPresent() || stepTime.draftHead().isPresent()) {
      return settings;
    }
    return settings.withSpeculation(
        new Speculation(
            speculation.draftTokens(),
            speculation.acceptance(),
            speculation.mode(),
            speculation.draftHead(),
            OptionalLong.of(1)));
  }

  private StepTimeModel stepTime() {
    return switch (random.nextInt(8)) {
      case 0 -> POLYNOMIAL;
      case 1 -> ROOFLINE;
      case 2 -> new TickStepTime(unitNanos, 1 << 20, 1 << 20, 0);
      case 3 ->
          new TickStepTime(unitNanos, 1 << 20, 1 << 20, 0)
              .withHost(random.nextInt(4) * unitNanos, random.nextInt(3) * unitNanos / 4);
      case 4 ->
          new TickStepTime(unitNanos, 8, 2, 0)
              .withHost(random.nextInt(3) * unitNanos / 2, random.nextInt(2));
      case 5 -> new TickStepTime(unitNanos / 2, 4, 1, 1);
      case 6 -> new TickStepTime(unitNanos, 16, 3, (int) (unitNanos / 1000) + 1);
      default -> new TickStepTime(unitNanos / 2, 32, 4, 0);
    };
  }

  private SchedulerSettings scheduler(
      int longest, int traceBlock, int identityBlock, boolean recycle) {
    boolean pagesFit = identityBlock >= traceBlock;
    boolean smaller = identityBlock == traceBlock && pagesFit;
    int page =
        smaller
            ? identityBlock >> random.nextInt(1 + Integer.numberOfTrailingZeros(identityBlock))
            : identityBlock;
    EngineRules engine = engine(longest, pagesFit, page);
    int block = engine instanceof EngineRules.Sglang ? page : identityBlock;
    int needed = (longest + block) / block;
    int blocks =
        switch (random.nextInt(4)) {
          case 0 -> needed + 1 + random.nextInt(3);
          case 1 -> needed + 1 + random.nextInt(needed + 4);
          case 2 -> 4 * needed + 20;
          default -> Math.max(2, (int) (needed * (0.6 + random.nextDouble())));
        };
    int budget = random.nextBoolean() ? 8192 : 1 + random.nextInt(5 * Math.max(block, 8));
    boolean chunked = random.nextInt(6) > 0;
    int modelLength = random.nextInt(5) > 0 ? 1 << 20 : 2 + random.nextInt(2 * longest);
    if (recycle) {
      blocks = Math.max(blocks, needed + 2);
      modelLength = 1 << 20;
      budget = chunked ? budget : Math.max(budget, longest + 2);
    }
    RecurrentState state = RecurrentState.NONE;
    if (random.nextInt(5) == 0) {
      state = new RecurrentState(block << random.nextInt(4), random.nextInt(3));
      blocks += state.blocksPerSequence() * (1 + random.nextInt(4));
    }
    if (engine instanceof EngineRules.TensorRt) {
      budget = Math.max(budget, block);
    }
    SchedulerSettings settings =
        new SchedulerSettings(
            block,
            Math.max(2 + state.blocksPerSequence(), blocks),
            budget,
            random.nextBoolean() ? 256 : 1 + random.nextInt(6),
            modelLength,
            random.nextInt(4) > 0 ? 0 : 1 + random.nextInt(2 * block + 4),
            random.nextInt(10) > 0,
            chunked,
            random.nextInt(4) == 0,
            random.nextInt(4) > 0,
            random.nextInt(5) > 1,
            random.nextInt(4) > 0 ? 0 : random.nextInt(40) / 100.0,
            random.nextBoolean(),
            random.nextBoolean());
    return settings.withState(state).withEngine(engine).withSpeculation(speculation(engine));
  }

  private EngineRules engine(int longest, boolean pagesFit, int page) {
    return switch (random.nextInt(pagesFit ? 4 : 3)) {
      case 0 ->
          new EngineRules.TensorRt(
              random.nextBoolean()
                  ? EngineRules.CapacityPolicy.GUARANTEED_NO_EVICT
                  : EngineRules.CapacityPolicy.MAX_UTILIZATION);
      case 3 ->
          new EngineRules.Sglang(
              random.nextBoolean() ? QueueOrder.Policy.LPM : QueueOrder.Policy.FCFS,
              random.nextInt(3) * page * (1 + random.nextInt(Math.max(2, longest / page))),
              random.nextBoolean() ? 16_384 : 1 + random.nextInt(2 * longest),
              random.nextBoolean() ? 4096 : 1 + random.nextInt(40),
              new double[] {1, 0.3, 0, 1.6}[random.nextInt(4)],
              RadixEviction.LRU);
      default -> EngineRules.VLLM;
    };
  }

  private Speculation speculation(EngineRules engine) {
    if (!(engine instanceof EngineRules.Vllm) || random.nextInt(4) > 0) {
      return Speculation.NONE;
    }
    List<Double> acceptance = new ArrayList<>();
    int drafts = 1 + random.nextInt(4);
    for (int i = 0; i < drafts; i++) {
      acceptance.add(new double[] {0, 0.3, 0.7, 0.9, 1}[random.nextInt(5)]);
    }
    return new Speculation(
        drafts,
        acceptance,
        random.nextBoolean() ? Speculation.Mode.SAMPLED : Speculation.Mode.EXPECTED,
        random.nextBoolean(),
        draftNanos());
  }

  private OptionalLong draftNanos() {
    int quarters = random.nextInt(5);
    return quarters < 3 ? OptionalLong.of(quarters * unitNanos / 4) : OptionalLong.empty();
  }
}
