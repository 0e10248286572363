package io.orrery.scenarios.fidelity;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A measured configuration as a run of the engine: one worker, a trace, and step times for host
 * constants that are still open. Immutable; runs of one replay may go on at the same time.
 *
 * @param trace what is sent
 * @param dispatch when
 * @param gpus GPUs of the worker
 * @param scheduler settings of its scheduler
 * @param stepTime step times of the worker for given host constants
 */
public record Replay(
    Trace trace,
    DispatchSettings dispatch,
    int gpus,
    SchedulerSettings scheduler,
    Function<HostCosts, StepTimeModel> stepTime) {

  /**
   * Makes sure that the worker can be timed.
   *
   * @throws IllegalArgumentException if it cannot, saying why
   */
  Replay requireTimed() {
    Objects.requireNonNull(stepTime.apply(HostCosts.NONE));
    return this;
  }

  /** Runs the engine to the end, with these host constants. */
  public RunResult run(HostCosts host) {
    SimulationSettings settings =
        new SimulationSettings(
            dispatch,
            List.of(new PoolSettings("measured", 1, gpus, scheduler, stepTime.apply(host))),
            RoutingPolicies.named("round-robin"),
            Map.of(),
            0,
            RouterSettings.IDEAL,
            Long.MAX_VALUE,
            0);
    int identities = scheduler.identityBlockSize(trace.blockSize());
    return new Simulation(trace, BlockView.of(trace, identities), settings).run();
  }
}
