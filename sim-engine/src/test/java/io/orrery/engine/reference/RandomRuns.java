package io.orrery.engine.reference;

import io.orrery.engine.AdmissionSettings;
import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.reference.RunSpec.RequestSpec;
import io.orrery.engine.reference.RunSpec.SessionSpec;
import io.orrery.engine.routing.PlacementRule;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.routing.RoutingPolicyFactory;
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
import java.util.TreeMap;

/** Random small runs, each from its seed: traces and clusters on which everything happens. */
final class RandomRuns {
  private static final StepTimeModel POLYNOMIAL = catalogued("polynomial");
  private static final StepTimeModel ROOFLINE = catalogued("roofline");

  private final SplittableRandom random;
  private final long unitNanos;

  private RandomRuns(long seed) {
    random = new SplittableRandom(seed);
    // Mostly milliseconds; sometimes so short that a nanosecond is a large part.
    unitNanos = random.nextInt(5) == 0 ? 4 : 1_000_000;
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

  /** The run of a seed. */
  static RunSpec run(long seed) {
    return new RandomRuns(seed).run();
  }

  private RunSpec run() {
    int traceBlock = 1 << random.nextInt(5);
    int engineBlock =
        switch (random.nextInt(4)) {
          case 0 -> traceBlock << 1 + random.nextInt(2);
          case 1 -> Math.max(1, traceBlock >> 1 + random.nextInt(2));
          default -> traceBlock;
        };
    boolean sharedClock = random.nextBoolean();
    int unit = Math.max(4, Math.max(traceBlock, engineBlock));
    List<SessionSpec> sessions =
        new RandomTraces(random, traceBlock, unit, unitNanos).sessions(1 + random.nextInt(40));
    DispatchSettings dispatch = dispatch();
    boolean recycle = dispatch instanceof DispatchSettings.Lanes lanes && lanes.recycle();
    long limit = Long.MAX_VALUE;
    if (recycle || random.nextInt(5) == 0) {
      limit =
          random.nextBoolean() ? random.nextInt(150) * unitNanos : random.nextLong(150 * unitNanos);
    }
    SimulationSettings settings =
        new SimulationSettings(
            dispatch,
            pools(sessions, traceBlock, engineBlock, recycle),
            policy(),
            Map.of(),
            new double[] {1, 1, 0, 0.5}[random.nextInt(4)],
            RouterSettings.IDEAL,
            limit,
            random.nextLong());
    SimulationSettings complete = withParameters(settings);
    boolean oneModel = complete.pools().stream().map(PoolSettings::model).distinct().count() == 1;
    if (oneModel && complete.router().placement().isEmpty()) {
      // A policy that names workers knows nothing of models and placement rules.
      complete = complete.with(admission(recycle));
    }
    return new RunSpec(traceBlock, engineBlock, sharedClock, sessions, complete);
  }

  /**
   * Mostly an ideal router whose index may lag; sometimes one with everything that can go wrong.
   */
  private RouterSettings router(List<PoolSettings> pools) {
    long delay = random.nextBoolean() ? 0 : random.nextInt(12) * unitNanos / 2;
    if (random.nextInt(3) > 0) {
      return RouterSettings.withIndexDelay(delay);
    }
    double none = Double.POSITIVE_INFINITY;
    boolean queue = random.nextBoolean();
    return new RouterSettings(
        delay,
        random.nextInt(3) == 0 ? 0.2 : 0,
        random.nextBoolean() ? 0 : 1 + random.nextLong(8 * unitNanos),
        1 + random.nextInt(3),
        random.nextBoolean() ? RouterSettings.NEVER : random.nextInt(4) * unitNanos,
        random.nextInt(4) > 0 ? RouterSettings.NEVER : random.nextLong(20 * unitNanos),
        random.nextInt(3) > 0 ? 0 : random.nextLong(2 * unitNanos),
        random.nextInt(3) > 0 ? 0 : random.nextLong(unitNanos / 2 + 1),
        random.nextInt(5) > 0 ? none : 0.2 + random.nextDouble(),
        random.nextInt(5) > 0 ? none : random.nextInt(200),
        random.nextInt(5) > 0 ? none : random.nextInt(4),
        queue
            ? new RouterSettings.Queue(
                random.nextInt(3) * 0.5,
                RouterSettings.Order.values()[random.nextInt(3)],
                random.nextInt(3) == 0)
            : RouterSettings.Queue.OFF,
        pools.size() == 1 || random.nextBoolean() ? List.of() : rules());
  }

  private List<PlacementRule> rules() {
    List<PlacementRule> rules = new ArrayList<>();
    for (String rule :
        List.of(
            "input >= 20 -> pool big",
            "child -> label near",
            "session *1* and input < 50 -> worker 0",
            "root -> prefer spare 1.5",
            "always -> prefer large -0.5")) {
      if (random.nextBoolean()) {
        rules.add(PlacementRule.parse(rule));
      }
    }
    return rules;
  }

  private DispatchSettings dispatch() {
    return switch (random.nextInt(8)) {
      case 0, 1 ->
          new DispatchSettings.Timestamps(
              new double[] {1, 0.5, 3.7, 100}[random.nextInt(4)], jitterNanos());
      case 2, 3 -> new DispatchSettings.ClosedLoop(new Arrivals.Recorded(jitterNanos()));
      case 4 ->
          new DispatchSettings.ClosedLoop(
              new Arrivals.Process(
                  new double[] {2e7, 2e8, 1e9}[random.nextInt(3)] / unitNanos,
                  new double[] {0, 0.5, 1, 2}[random.nextInt(4)]));
      default -> {
        boolean recycle = random.nextInt(4) == 0;
        long limit = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : Long.MAX_VALUE;
        yield new DispatchSettings.Lanes(
            1 + random.nextInt(4), recycle, random.nextBoolean(), limit);
      }
    };
  }

  private long jitterNanos() {
    return random.nextInt(3) == 0 ? random.nextInt(20) * unitNanos : 0;
  }

  private List<PoolSettings> pools(
      List<SessionSpec> sessions, int traceBlock, int block, boolean recycle) {
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

  private RoutingPolicyFactory policy() {
    List<RoutingPolicyFactory> policies = new ArrayList<>(RoutingPolicies.builtIn());
    for (ProbePolicy.Kind kind : ProbePolicy.Kind.values()) {
      policies.add(ProbePolicy.factory(kind));
    }
    // One that sees everything finds most.
    policies.add(ProbePolicy.factory(ProbePolicy.Kind.EVERYTHING));
    policies.add(ProbePolicy.factory(ProbePolicy.Kind.EVERYTHING));
    return policies.get(random.nextInt(policies.size()));
  }

  /**
   * Mostly one that holds requests back, with times that fit the run's.
   *
   * @param recycle whether sessions start over without end, so that none may be refused at once
   */
  private AdmissionSettings admission(boolean recycle) {
    if (random.nextInt(3) == 0) {
      return AdmissionSettings.NONE;
    }
    List<AdmissionPolicyFactory> policies = new ArrayList<>(AdmissionPolicies.builtIn());
    if (!recycle) {
      policies.add(ProbeAdmission.FACTORY);
      policies.add(ProbeAdmission.FACTORY);
    }
    AdmissionPolicyFactory policy = policies.get(random.nextInt(policies.size()));
    Map<String, String> values = new TreeMap<>();
    // Where steps last milliseconds, ticks every few nanoseconds would fill the run.
    long unit = random.nextInt(4) == 0 ? unitNanos : Math.max(unitNanos, 1_000_000);
    for (PolicyParameter parameter : policy.parameters()) {
      String name = parameter.name();
      switch (parameter.kind()) {
        case DURATION -> {
          if (parameter.minimum() < 1e-3) {
            int most = name.equals("schedulerInterval") ? 20 : 200;
            values.put(name, (1 + random.nextInt(most)) * unit + " ns");
          }
        }
        case CHOICE ->
            values.put(name, parameter.choices().get(random.nextInt(parameter.choices().size())));
        default -> admissionNumber(name, values);
      }
    }
    if (recycle) {
      values.remove("maxTrackedRequests");
    }
    if ("0.5".equals(values.get("pauseThreshold"))) {
      values.put("pauseTarget", "0.4");
    }
    return new AdmissionSettings(policy, values);
  }

  private void admissionNumber(String name, Map<String, String> values) {
    switch (name) {
      case "limit" -> values.put(name, Integer.toString(1 + random.nextInt(4)));
      case "rate" -> values.put(name, List.of("2e8", "3e9").get(random.nextInt(2)));
      case "burst" -> values.put(name, Integer.toString(1 + random.nextInt(30)));
      case "bufferPerProgram" -> values.put(name, Integer.toString(random.nextInt(20)));
      case "announcedEnds" -> values.put(name, List.of("0", "0.5", "1").get(random.nextInt(3)));
      case "maxTrackedRequests" ->
          values.put(name, Integer.toString(1 + random.nextInt(random.nextBoolean() ? 4 : 40)));
      case "charactersPerToken" -> values.put(name, List.of("5", "3.7").get(random.nextInt(2)));
      case "actingTokenWeight" -> values.put(name, List.of("1", "0.3").get(random.nextInt(2)));
      case "pauseThreshold" -> values.put(name, List.of("0.95", "0.5").get(random.nextInt(2)));
      case "resumeHysteresis" -> values.put(name, List.of("0.10", "0").get(random.nextInt(2)));
      default -> {}
    }
  }

  /** Sets some of the policy's parameters to values in their range. */
  private SimulationSettings withParameters(SimulationSettings settings) {
    Map<String, String> values = new TreeMap<>();
    for (PolicyParameter parameter : settings.routing().parameters()) {
      if (random.nextInt(3) == 0) {
        switch (parameter.kind()) {
          case WHOLE -> values.put(parameter.name(), Integer.toString(1 + random.nextInt(4)));
          case NUMBER -> {
            double value =
                Math.max(
                    parameter.minimum(),
                    List.of(0, 0.5, 1, 7).get(random.nextInt(4)).doubleValue());
            values.put(parameter.name(), Double.toString(Math.min(parameter.maximum(), value)));
          }
          case DURATION ->
              values.put(
                  parameter.name(),
                  Math.max((long) (parameter.minimum() * 1e9), random.nextLong(20 * unitNanos))
                      + " ns");
          case CHOICE ->
              values.put(
                  parameter.name(),
                  parameter.choices().get(random.nextInt(parameter.choices().size())));
        }
      }
    }
    return new SimulationSettings(
        settings.dispatch(),
        settings.pools(),
        settings.routing(),
        values,
        settings.completionReuse(),
        router(settings.pools()),
        settings.timeLimitNanos(),
        settings.seed());
  }
}
