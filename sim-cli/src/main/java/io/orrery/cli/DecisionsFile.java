package io.orrery.cli;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.decisions.DecisionRecorder;
import io.orrery.reports.decisions.DecisionRow;
import io.orrery.reports.decisions.DecisionText;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Writes the decisions of every run into one file, in the order of the runs: each run into a file
 * of its own first, since several are simulated at once.
 */
final class DecisionsFile {
  private final Path file;
  private final boolean csv;
  private final Map<ScenarioRun, Path> parts = new ConcurrentHashMap<>();

  private DecisionsFile(Path file) {
    this.file = file;
    this.csv = file.toString().endsWith(".csv");
  }

  /** Checks, before any work is done, that the file may be written. */
  static DecisionsFile claim(Path file) {
    String name = file.toString();
    if (!name.endsWith(".csv") && !name.endsWith(".jsonl")) {
      throw new UsageException("--decisions " + file + ": expected a name in .jsonl or .csv");
    }
    OutputFolder.claimFile("--decisions", file);
    return new DecisionsFile(file);
  }

  /** Simulates a run and keeps its decisions. */
  RunResult simulate(ScenarioRun run, LongConsumer progress) {
    try {
      Path part = Files.createTempFile(folder(), ".orrery-decisions-", "");
      part.toFile().deleteOnExit();
      parts.put(run, part);
      try (BufferedWriter out = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
        DecisionText text = new DecisionText(out, csv);
        DecisionRecorder recorder =
            new DecisionRecorder(
                run.trace(),
                run.view().blockSize(),
                request -> true,
                row -> write(text, run.variant().name(), row));
        RunResult result = run.simulate(recorder, progress);
        recorder.close();
        return result;
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void write(DecisionText text, String run, DecisionRow row) {
    try {
      text.write(run, row);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Puts the file together. */
  void finish(Iterable<ScenarioRun> runs) {
    try {
      Path work = Files.createTempFile(folder(), "." + file.getFileName() + ".partial-", "");
      work.toFile().deleteOnExit();
      try (OutputStream out = Files.newOutputStream(work)) {
        out.write(DecisionText.header(csv).getBytes(StandardCharsets.UTF_8));
        for (ScenarioRun run : runs) {
          Path part = parts.get(run);
          if (part != null) {
            Files.copy(part, out);
            Files.delete(part);
          }
        }
      }
      Files.move(work, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private Path folder() {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("") : parent;
  }

  private UncheckedIOException failure(IOException e) {
    return new UncheckedIOException(
        "--decisions " + file + ": cannot be written (" + IoReason.of(e) + ")", e);
  }
}
