package io.orrery.reports.plan;

import static java.util.Objects.requireNonNull;

import io.orrery.reports.sweep.PointResult;
import io.orrery.reports.work.Workers;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.plan.Plan;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Simulates trials, here or elsewhere. */
interface TrialSimulator {
  /** In the calling thread. */
  TrialSimulator HERE =
      (run, version, candidate, size, seed, factor) ->
          PointResult.of(run, version, run.simulate(ended -> {}));

  /**
   * Simulates a trial.
   *
   * @param run the trial's, as it is prepared here
   * @param version that its result is known by
   */
  PointResult simulate(
      ScenarioRun run, String version, int candidate, long size, long seed, double factor);

  /** As work of an engine, a piece for each trial. */
  static TrialSimulator on(Workers engine, ScenarioText scenario, Plan.Find find) {
    String plan = UUID.randomUUID().toString();
    return (run, version, candidate, size, seed, factor) -> {
      AtomicReference<TrialWork.@Nullable Ended> taken = new AtomicReference<>();
      engine.run(
          1,
          new TrialWork(plan, scenario, find, version, candidate, size, seed, factor),
          taken::set);
      TrialWork.Ended ended = requireNonNull(taken.get());
      // What it was exactly shows when the trial is simulated here.
      return ended.failure().isEmpty()
          ? PointResult.read(ended.line())
          : HERE.simulate(run, version, candidate, size, seed, factor);
    };
  }
}
