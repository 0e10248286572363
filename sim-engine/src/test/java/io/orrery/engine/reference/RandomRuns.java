package io.orrery.engine.reference;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.reference.RunSpec.SessionSpec;
import io.orrery.engine.routing.PlacementRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Random small runs, each from its seed: traces and clusters on which everything happens. */
final class RandomRuns {
  private final SplittableRandom random;
  private final long unitNanos;
  private final RandomPolicies policies;

  private RandomRuns(long seed) {
    random = new SplittableRandom(seed);
    // Mostly milliseconds; sometimes so short that a nanosecond is a large part.
    unitNanos = random.nextInt(5) == 0 ? 4 : 1_000_000;
    policies = new RandomPolicies(random, unitNanos);
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
            new RandomPools(random, unitNanos).pools(sessions, traceBlock, engineBlock, recycle),
            policies.routing(),
            Map.of(),
            new double[] {1, 1, 0, 0.5}[random.nextInt(4)],
            RouterSettings.IDEAL,
            limit,
            random.nextLong());
    SimulationSettings complete = complete(settings);
    boolean oneModel = complete.pools().stream().map(PoolSettings::model).distinct().count() == 1;
    if (oneModel && complete.router().placement().isEmpty()) {
      // A policy that names workers knows nothing of models and placement rules.
      complete = complete.with(policies.admission(recycle));
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

  /** With parameters of the policy, and a router. */
  private SimulationSettings complete(SimulationSettings settings) {
    Map<String, String> values = policies.parameters(settings.routing());
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
