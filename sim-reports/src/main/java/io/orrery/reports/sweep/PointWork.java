package io.orrery.reports.sweep;

import io.orrery.reports.work.Work;
import io.orrery.reports.work.WorkPlace;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepReader;
import io.orrery.traces.TraceException;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The points of a sweep as work.
 *
 * @param run tells this sweep's work from that of another, so that they share nothing
 * @param scenario with the sweep
 * @param version of the program, and of what else was plugged in
 * @param known keys of the points that are finished
 */
record PointWork(String run, ScenarioText scenario, String version, Set<String> known)
    implements Work<PointWork.Ended> {
  /** The sweep in one process. */
  private record Loaded(Sweep sweep, PointSimulator simulator) {}

  /**
   * How a point ended.
   *
   * @param key of its finished run; empty text if it failed
   * @param line its result; empty text if it failed, or was finished before
   * @param failure why it failed; empty text if it did not
   * @param trace why the trace of all points cannot be read, if it cannot
   */
  record Ended(int index, String key, String line, String failure, @Nullable TraceException trace)
      implements Serializable {}

  @Override
  public Ended at(int piece, WorkPlace place) {
    Loaded loaded = place.shared(run, Loaded.class, () -> load(place));
    try {
      PointOutcome outcome =
          loaded.simulator().simulate(loaded.sweep().point(piece), known::contains);
      return new Ended(
          piece,
          outcome.key(),
          outcome.result().map(PointResult::toJson).orElse(""),
          outcome.failure(),
          null);
    } catch (TraceException e) {
      return new Ended(piece, "", "", "", e);
    }
  }

  private Loaded load(WorkPlace place) {
    Sweep sweep = SweepReader.read(scenario.layers());
    return new Loaded(
        sweep, new PointSimulator(sweep, new RunPreparation(place.traces()), version));
  }
}
