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
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Writes the decisions of every run into one file, in the order of the runs. */
final class DecisionsFile implements RunRecordings {
  private static final String OPTION = "--decisions";
  private static final String SAMPLE = "--decisions-sample";
  private static final String COMPRESSED = ".gz";

  /** Most candidates of a file's decisions, unless a sample is asked for: a gigabyte of JSON. */
  private static final long MOST_CANDIDATES = 4_000_000;

  private final RunParts parts;
  private final boolean csv;
  private final boolean compressed;
  private final int oneIn;
  private final long mostCandidates;
  private final RecordingEnds ends = new RecordingEnds();

  private DecisionsFile(Path file, int oneIn, long mostCandidates) {
    parts = new RunParts(OPTION, file);
    compressed = file.toString().endsWith(COMPRESSED);
    csv = plainName(file).endsWith(".csv");
    this.oneIn = oneIn;
    this.mostCandidates = mostCandidates;
  }

  /**
   * Checks, before any work is done, that the file may be written.
   *
   * @param sample one session in how many is told; null for all, to the end or as far as a file
   *     gets
   * @param output the folder of {@code -o}, if there is one
   */
  static DecisionsFile claim(Path file, @Nullable Integer sample, @Nullable Path output) {
    String name = plainName(file);
    if (!name.endsWith(".csv") && !name.endsWith(".jsonl")) {
      throw new UsageException(
          OPTION + " " + file + ": expected a name in .jsonl or .csv, with .gz behind it or not");
    }
    if (sample != null && sample < 1) {
      throw new UsageException(SAMPLE + ": found " + sample + ", expected at least 1");
    }
    OutputFolder.claimFile(OPTION, file, output);
    return new DecisionsFile(
        file, sample == null ? 1 : sample, sample == null ? MOST_CANDIDATES : Long.MAX_VALUE);
  }

  private static String plainName(Path file) {
    String name = file.toString();
    return name.endsWith(COMPRESSED)
        ? name.substring(0, name.length() - COMPRESSED.length())
        : name;
  }

  /** Opens a file of decisions to be read. */
  static BufferedReader reader(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return new BufferedReader(
          new InputStreamReader(
              file.toString().endsWith(COMPRESSED) ? new GZIPInputStream(in) : in,
              StandardCharsets.UTF_8));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  @Override
  public Recording of(ScenarioRun run, int number, int runs) {
    BufferedWriter out = parts.open(run);
    DecisionText text = new DecisionText(out, csv);
    DecisionRecorder recorder =
        new DecisionRecorder(
            run.trace(),
            run.view().blockSize(),
            request -> run.trace().session(request) % oneIn == 0,
            mostCandidates / runs,
            row -> write(text, run.variant().name(), row));
    return new Recording() {
      @Override
      public Recorder recorder() {
        return recorder;
      }

      @Override
      public void finish(RunResult result) {
        recorder.close();
        ends.add(run, recorder.fullAtNanos(), result);
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
  public List<String> notes(Iterable<ScenarioRun> runs) {
    return ends.notes(
        runs,
        "The record of decisions of ",
        SAMPLE + " ",
        " spreads it over the whole run, " + SAMPLE + " 1 holds everything.");
  }

  @Override
  public void write(Iterable<ScenarioRun> runs) {
    parts.write(compressed, out -> write(runs, out));
  }

  private void write(Iterable<ScenarioRun> runs, OutputStream out) throws IOException {
    out.write(DecisionText.header(csv).getBytes(StandardCharsets.UTF_8));
    for (ScenarioRun run : runs) {
      Files.copy(parts.part(run), out);
    }
  }
}
