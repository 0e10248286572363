package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.RouterSettings.Order;
import io.orrery.engine.RouterSettings.Queue;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.routing.PlacementRule;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the router does besides its policy, by hand. A step takes 10 ms and at most 64 tokens. */
class RouterWorkTest {
  private static final long MS = 1_000_000;
  private static final double NONE = Double.POSITIVE_INFINITY;

  private static final StepTimeModel TEN_MILLIS =
      new StepTimeModel() {
        @Override
        public String name() {
          return "10 ms a step";
        }

        @Override
        public long stepNanos(StepShape shape) {
          return shape.newTokens() == 0 ? 0 : 10 * MS;
        }
      };

  private static RouterSettings settings(
      long lookUp, long update, double busyPrefill, Queue queue, PlacementRule... rules) {
    return new RouterSettings(
        0,
        0,
        0,
        1,
        RouterSettings.NEVER,
        RouterSettings.NEVER,
        lookUp,
        update,
        NONE,
        busyPrefill,
        NONE,
        queue,
        List.of(rules));
  }

  private static RunResult run(Trace trace, int workers, String policy, RouterSettings router) {
    SchedulerSettings scheduler =
        new SchedulerSettings(
            16, 1_001, 64, 16, 10_000, 0, true, true, false, true, false, 0, true, false);
    PoolSettings pool =
        new PoolSettings("main", workers, 1, scheduler, TEN_MILLIS, "", 1, List.of("plain"));
    SimulationSettings settings =
        new SimulationSettings(
            new DispatchSettings.Timestamps(1),
            List.of(pool),
            RoutingPolicies.named(policy),
            Map.of(),
            1,
            router,
            Long.MAX_VALUE,
            1);
    return new Simulation(trace, BlockView.of(trace, 16), settings).run();
  }

  private static TraceBuilder prompts(int... tokens) {
    TraceBuilder builder = Trace.builder(16).sharedClock(true);
    for (int i = 0; i < tokens.length; i++) {
      builder.session("s" + i).request("r" + i).input(tokens[i]).output(1).arrival(i * MS);
    }
    return builder;
  }

  /** Look-ups take 5 ms, one after the other: 0 → 5, 1 → 10, 2 → 15 ms. */
  @Test
  void decisionsQueueForTheRoutersTime() {
    RunColumns columns =
        run(prompts(16, 16, 16).build(), 1, "kv-aware", settings(5 * MS, 0, NONE, Queue.OFF))
            .columns();
    assertThat(columns.placedNanos(0)).isEqualTo(5 * MS);
    assertThat(columns.placedNanos(1)).isEqualTo(10 * MS);
    assertThat(columns.placedNanos(2)).isEqualTo(15 * MS);
  }

  @Test
  void aPolicyWithoutAnIndexTakesNoTime() {
    RunResult result =
        run(prompts(16, 16).build(), 1, "round-robin", settings(5 * MS, MS, NONE, Queue.OFF));
    assertThat(result.columns().placedNanos(1)).isEqualTo(MS);
    assertThat(result.router().indexLookUps()).isZero();
  }

  /**
   * At most half a step, 32 tokens, may be uncached on the worker. The first of 128 tokens passes,
   * its prefill takes two steps, to 20 ms. Then the shortest goes, then the next: 20, 30 and 40 ms.
   */
  @Test
  void theQueueLetsTheShortestGoFirst() {
    RunColumns columns =
        run(
                prompts(128, 64, 48, 40).build(),
                1,
                "least-loaded",
                settings(0, 0, NONE, new Queue(0.5, Order.WSPT, false)))
            .columns();
    assertThat(columns.placedNanos(0)).isZero();
    assertThat(columns.placedNanos(3)).isEqualTo(20 * MS);
    assertThat(columns.placedNanos(2)).isEqualTo(30 * MS);
    assertThat(columns.placedNanos(1)).isEqualTo(40 * MS);
  }

  /** The same, first come, first served, and last come. */
  @Test
  void orWhoCameFirstOrLast() {
    for (Order order : List.of(Order.FCFS, Order.LCFS)) {
      RunColumns columns =
          run(
                  prompts(128, 64, 48, 40).build(),
                  1,
                  "least-loaded",
                  settings(0, 0, NONE, new Queue(0.5, order, false)))
              .columns();
      assertThat(columns.placedNanos(1)).isEqualTo((order == Order.FCFS ? 20 : 40) * MS);
      assertThat(columns.placedNanos(3)).isEqualTo((order == Order.FCFS ? 40 : 20) * MS);
    }
  }

  /** 128 tokens to compute on the only worker are above 100: the second request is turned away. */
  @Test
  void whereEveryWorkerIsTooBusyRequestsAreTurnedAway() {
    RunResult result =
        run(prompts(128, 16).build(), 1, "least-loaded", settings(0, 0, 100, Queue.OFF));
    assertThat(result.columns().state(1)).isEqualTo(RequestState.REJECTED);
    assertThat(result.rejections().get(0).reason()).contains("too busy for the router");
    assertThat(
            run(prompts(128, 16).build(), 2, "round-robin", settings(0, 0, 100, Queue.OFF))
                .columns()
                .worker(1))
        .isEqualTo(1);
  }

  @Test
  void rulesPinRequests() {
    RunColumns columns =
        run(
                prompts(16, 16, 16).build(),
                3,
                "round-robin",
                settings(
                    0,
                    0,
                    NONE,
                    Queue.OFF,
                    PlacementRule.parse("session s1 -> worker 2"),
                    PlacementRule.parse("session s2 -> worker 2")))
            .columns();
    assertThat(columns.worker(0)).isZero();
    assertThat(columns.worker(1)).isEqualTo(2);
    assertThat(columns.worker(2)).isEqualTo(2);
  }
}
