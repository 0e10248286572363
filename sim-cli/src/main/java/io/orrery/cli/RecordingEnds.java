package io.orrery.cli;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.console.HumanUnits;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Which runs were recorded up to a moment only, since the file has as much as it may have. */
final class RecordingEnds {
  private record End(long nanos, long runNanos) {}

  private final Map<ScenarioRun, End> ends = new ConcurrentHashMap<>();

  /** A run is over; {@code fullAt} is where its recording ended before. */
  void add(ScenarioRun run, OptionalLong fullAt, RunResult result) {
    fullAt.ifPresent(nanos -> ends.put(run, new End(nanos, result.endNanos())));
  }

  /**
   * A sentence for each run that was not recorded to its end.
   *
   * @param what was recorded, as the subject of a sentence that ends in a run's name
   * @param instead what to ask for, before and after the sample that spreads over the whole run
   */
  List<String> notes(Iterable<ScenarioRun> runs, String what, String... instead) {
    List<String> notes = new ArrayList<>();
    for (ScenarioRun run : runs) {
      End end = ends.get(run);
      if (end != null) {
        long sample = 1 + (end.runNanos() - 1) / Math.max(1, end.nanos());
        notes.add(
            what
                + run.variant().name()
                + " ends after "
                + HumanUnits.seconds(end.nanos() / 1e9)
                + " of "
                + HumanUnits.seconds(end.runNanos() / 1e9)
                + ", where it is as long as a file gets by itself; "
                + instead[0]
                + sample
                + instead[1]);
      }
    }
    return notes;
  }
}
