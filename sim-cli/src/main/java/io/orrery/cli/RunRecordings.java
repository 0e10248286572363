package io.orrery.cli;

import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** A file that is written while runs are simulated. */
interface RunRecordings {
  /** What hears one run. */
  interface Recording {
    Recorder recorder();

    /** The run is over. */
    void finish(RunResult result);
  }

  /**
   * Begins to record a run, the {@code number}-th of so many of the experiment; runs may be
   * concurrent.
   */
  Recording of(ScenarioRun run, int number, int runs);

  /** What the user should know of the file, once all runs are over, a sentence each. */
  List<String> notes(Iterable<ScenarioRun> runs);

  /** Writes the file of all runs, in their order. */
  void write(Iterable<ScenarioRun> runs);

  /** Simulates a run, heard by all of them. */
  static RunResult simulate(
      ScenarioRun run, int number, int runs, List<RunRecordings> files, LongConsumer progress) {
    if (files.isEmpty()) {
      return run.simulate(progress);
    }
    List<Recording> recordings = new ArrayList<>();
    files.forEach(file -> recordings.add(file.of(run, number, runs)));
    Recorder all = recordings.get(0).recorder();
    for (Recording recording : recordings.subList(1, recordings.size())) {
      all = Recorder.both(all, recording.recorder());
    }
    RunResult result = run.simulate(all, progress);
    recordings.forEach(recording -> recording.finish(result));
    return result;
  }
}
