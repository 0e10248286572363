package io.orrery.reports.summary;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Small runs whose numbers can be worked out by hand: every step takes 10 ms. */
public final class Runs {
  public static final long STEP_NANOS = 10_000_000;

  private Runs() {}

  private static final class TenMillis implements StepTimeModel {
    @Override
    public String name() {
      return "10 ms a step";
    }

    @Override
    public long stepNanos(StepShape shape) {
      return shape.prefillCount + shape.decodeCount == 0 ? 0 : STEP_NANOS;
    }
  }

  /** Workers of two GPUs each, with synchronous scheduling. */
  static PoolSettings pool(int workers, int blockSize, int usableBlocks, int modelLength) {
    return new PoolSettings(
        "main",
        workers,
        2,
        new SchedulerSettings(
            blockSize,
            usableBlocks + 1,
            64,
            16,
            modelLength,
            0,
            true,
            true,
            false,
            true,
            false,
            0,
            true,
            false),
        new TenMillis());
  }

  static RunResult run(Trace trace, PoolSettings pool, String policy, long timeLimitNanos) {
    return run(trace, pool, policy, timeLimitNanos, Recorder.NONE);
  }

  /** A run on the cluster of {@link #twoSessions} that is heard. */
  public static RunResult heard(Trace trace, Recorder recorder) {
    return run(trace, pool(1, 4, 8, 32), "round-robin", Long.MAX_VALUE, recorder);
  }

  private static RunResult run(
      Trace trace, PoolSettings pool, String policy, long timeLimitNanos, Recorder recorder) {
    SimulationSettings settings =
        new SimulationSettings(
            new DispatchSettings.ClosedLoop(new Arrivals.Recorded()),
            List.of(pool),
            RoutingPolicies.named(policy),
            Map.of(),
            1,
            RouterSettings.IDEAL,
            timeLimitNanos,
            1);
    BlockView view = BlockView.of(trace, pool.scheduler().blockSize());
    return new Simulation(trace, view, settings).run(recorder, requests -> {});
  }

  static Summary summary(Trace trace, PoolSettings pool, String policy, Slo slo) {
    return summary(trace, pool, policy, slo, Long.MAX_VALUE);
  }

  static Summary summary(
      Trace trace, PoolSettings pool, String policy, Slo slo, long timeLimitNanos) {
    return Metrics.summarise(
        new RunFacts(
            trace,
            BlockView.of(trace, pool.scheduler().blockSize()),
            run(trace, pool, policy, timeLimitNanos),
            slo,
            0,
            facts(pool)));
  }

  /** A cluster that costs 36 dollars an hour and draws 7.2 kW. */
  static ClusterFacts facts(PoolSettings pool) {
    return new ClusterFacts(List.of(pool), OptionalDouble.of(36), OptionalDouble.of(7.2));
  }

  /** The cluster of {@link #twoSessions}. */
  public static ClusterFacts twoSessionsCluster() {
    return facts(pool(1, 4, 8, 32));
  }

  /** The summary and what it is made of, for other packages. */
  public static RunResult twoSessions(Trace trace) {
    return run(trace, pool(1, 4, 8, 32), "round-robin", Long.MAX_VALUE);
  }

  /** So many sessions of one request each, a second apart: 8 tokens in, 3 out. */
  public static Trace oneASecond(int sessions) {
    TraceBuilder trace = Trace.builder(4);
    for (int i = 0; i < sessions; i++) {
      trace
          .session("s" + i)
          .request("r" + i)
          .input(8)
          .output(3)
          .blocks(2 * i, 2 * i + 1)
          .arrival(i * 1_000_000_000L);
    }
    return trace.build();
  }

  /**
   * Three requests of two sessions, in blocks of 4 tokens:
   *
   * <pre>
   * a1  at 0       8 in, 2 out   blocks 1 2
   * a2  100 ms     12 in, 1 out  blocks 1 2 3    after a1
   * b1  at 1 s     8 in, 3 out   blocks 1 2
   * </pre>
   */
  public static Trace twoSessionsTrace() {
    return Trace.builder(4)
        .session("a")
        .request("a1")
        .input(8)
        .output(2)
        .blocks(1, 2)
        .arrival(0)
        .request("a2")
        .input(12)
        .output(1)
        .blocks(1, 2, 3)
        .afterPrevious(100_000_000)
        .session("b")
        .request("b1")
        .input(8)
        .output(3)
        .blocks(1, 2)
        .arrival(1_000_000_000)
        .build();
  }
}
