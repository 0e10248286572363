package io.orrery.cli;

import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.reports.decisions.DecisionReader;
import io.orrery.reports.decisions.DecisionRecorder;
import io.orrery.reports.decisions.DecisionRow;
import io.orrery.reports.decisions.DecisionText;
import io.orrery.reports.figures.RecordedDecisions;
import io.orrery.reports.figures.RunFigures;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the decisions of every run into one file, in the order of the runs. */
final class DecisionsFile implements RunRecordings {
  private static final String OPTION = "--decisions";

  private final RunParts parts;
  private final boolean csv;

  private DecisionsFile(Path file) {
    parts = new RunParts(OPTION, file);
    csv = file.toString().endsWith(".csv");
  }

  /**
   * Checks, before any work is done, that the file may be written.
   *
   * @param output the folder of {@code -o}, if there is one
   */
  static DecisionsFile claim(Path file, @Nullable Path output) {
    String name = file.toString();
    if (!name.endsWith(".csv") && !name.endsWith(".jsonl")) {
      throw new UsageException(OPTION + " " + file + ": expected a name in .jsonl or .csv");
    }
    OutputFolder.claimFile(OPTION, file, output);
    return new DecisionsFile(file);
  }

  @Override
  public Recording of(ScenarioRun run, int number) {
    BufferedWriter out = parts.open(run);
    DecisionText text = new DecisionText(out, csv);
    DecisionRecorder recorder =
        new DecisionRecorder(
            run.trace(),
            run.view().blockSize(),
            request -> true,
            row -> write(text, run.variant().name(), row));
    return new Recording() {
      @Override
      public Recorder recorder() {
        return recorder;
      }

      @Override
      public void finish(RunResult result) {
        recorder.close();
        try {
          out.close();
        } catch (IOException e) {
          throw parts.failure(e);
        }
      }
    };
  }

  /** The decisions that a report tells of; none if they are not kept as JSON. */
  RecordedDecisions recorded(Iterable<ScenarioRun> runs, List<RunFigures> figures) {
    RecordedDecisions decisions = new RecordedDecisions();
    Iterator<RunFigures> figure = figures.iterator();
    for (ScenarioRun run : runs) {
      Set<String> wanted = RecordedDecisions.wanted(figure.next());
      if (!csv) {
        try (BufferedReader lines = Files.newBufferedReader(parts.part(run))) {
          new DecisionReader()
              .about(lines, wanted)
              .forEach(named -> decisions.add(named.run(), named.row()));
        } catch (IOException e) {
          throw parts.failure(e);
        }
      }
    }
    return decisions;
  }

  private void write(DecisionText text, String run, DecisionRow row) {
    try {
      text.write(run, row);
    } catch (IOException e) {
      throw parts.failure(e);
    }
  }

  @Override
  public void write(Iterable<ScenarioRun> runs) {
    parts.write(
        out -> {
          out.write(DecisionText.header(csv).getBytes(StandardCharsets.UTF_8));
          for (ScenarioRun run : runs) {
            Files.copy(parts.part(run), out);
          }
        });
  }
}
