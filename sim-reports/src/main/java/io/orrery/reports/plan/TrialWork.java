package io.orrery.reports.plan;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.reports.sweep.PointResult;
import io.orrery.reports.work.Work;
import io.orrery.reports.work.WorkPlace;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.plan.PlanReader;
import io.orrery.scenarios.text.ScenarioException;
import java.io.Serializable;

/**
 * A trial of a plan as one piece of work.
 *
 * @param run tells this plan's work from that of another, so that they share nothing
 * @param scenario with the plan
 * @param find what is looked for
 * @param version that the result is known by
 * @param candidate its index
 * @param size sessions alive at once, or workers
 * @param factor on step times
 */
record TrialWork(
    String run,
    ScenarioText scenario,
    Plan.Find find,
    String version,
    int candidate,
    long size,
    long seed,
    double factor)
    implements Work<TrialWork.Ended> {
  /** The plan in one process. */
  private record Loaded(Plan plan, RunPreparation preparation) {}

  /**
   * How a trial ended.
   *
   * @param line its result, empty text if there is none
   * @param failure why there is none
   */
  record Ended(String line, String failure) implements Serializable {}

  @Override
  public Ended at(int piece, WorkPlace place) {
    Loaded loaded =
        place.shared(
            run,
            Loaded.class,
            () ->
                new Loaded(
                    PlanReader.read(scenario.layers(), find), new RunPreparation(place.traces())));
    try {
      Plan plan = loaded.plan();
      ScenarioRun trial =
          Trials.run(
              plan, loaded.preparation(), plan.candidates().point(candidate), size, seed, factor);
      return new Ended(PointResult.of(trial, version, trial.simulate(ended -> {})).toJson(), "");
    } catch (ScenarioException | SimulatedTimeException | NoProgressException e) {
      return new Ended("", String.valueOf(e.getMessage()));
    }
  }
}
