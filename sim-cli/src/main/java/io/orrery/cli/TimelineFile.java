package io.orrery.cli;

import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.reports.timeline.TimelineRecorder;
import io.orrery.reports.timeline.TimelineWindow;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.text.Quantity;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes the timelines of all runs into one file, compressed where its name says so. */
final class TimelineFile implements RunRecordings {
  private static final String OPTION = "--timeline";
  private static final String SAMPLE = "--timeline-sample";
  private static final String WINDOW = "--timeline-window";

  /** Most events of a file, unless a part of the run is asked for: 700 MB before compression. */
  private static final long MOST_EVENTS = 5_000_000;

  private final RunParts parts;
  private final boolean compressed;
  private final TimelineWindow window;
  private final long mostEvents;
  private final RecordingEnds ends = new RecordingEnds();

  private TimelineFile(Path file, TimelineWindow window, long mostEvents) {
    parts = new RunParts(OPTION, file);
    compressed = file.toString().endsWith(".gz");
    this.window = window;
    this.mostEvents = mostEvents;
  }

  /**
   * Checks, before any work is done, that the file may be written.
   *
   * @param output the folder of the other results, which may be its own; null if there is none
   * @param window as {@code FROM..TO}, null for the whole run
   * @param sample which share of sessions and steps is told, see {@link TimelineWindow}; null for
   *     all, to the end or as far as a file gets
   */
  static TimelineFile claim(
      Path file, @Nullable Path output, @Nullable String window, @Nullable Integer sample) {
    String name = file.toString();
    if (!name.endsWith(".json") && !name.endsWith(".json.gz")) {
      throw new UsageException(OPTION + " " + file + ": expected a name in .json or .json.gz");
    }
    int oneIn = sample == null ? 1 : sample;
    if (oneIn < 1) {
      throw new UsageException(SAMPLE + ": found " + oneIn + ", expected at least 1");
    }
    OutputFolder.claimFile(OPTION, file, output);
    return new TimelineFile(
        file,
        window == null ? new TimelineWindow(0, Long.MAX_VALUE, oneIn) : window(window, oneIn),
        window == null && sample == null ? MOST_EVENTS : Long.MAX_VALUE);
  }

  private static TimelineWindow window(String text, int oneIn) {
    String[] ends = text.split("\\.\\.", -1);
    if (ends.length == 2) {
      OptionalLong from = nanos(ends[0]);
      OptionalLong to = nanos(ends[1]);
      if (from.isPresent() && to.isPresent() && from.getAsLong() < to.getAsLong()) {
        return new TimelineWindow(from.getAsLong(), to.getAsLong(), oneIn);
      }
    }
    throw new UsageException(
        WINDOW + ": found " + text + ", expected two times as 10s..12.5s, the earlier one first");
  }

  private static OptionalLong nanos(String text) {
    return Quantity.DURATION.parse(text.strip());
  }

  @Override
  public Recording of(ScenarioRun run, int number, int runs) {
    BufferedWriter out = parts.open(run);
    TimelineRecorder recorder =
        new TimelineRecorder(
            run.trace(),
            run.variant().spec().workers(),
            run.variant().name(),
            number,
            window,
            mostEvents / runs,
            out);
    return new Recording() {
      @Override
      public Recorder recorder() {
        return recorder;
      }

      @Override
      public void finish(RunResult result) {
        recorder.close(result.endNanos());
        ends.add(run, recorder.fullAtNanos(), result);
        try {
          out.close();
        } catch (IOException e) {
          throw parts.failure(e);
        }
      }
    };
  }

  @Override
  public List<String> notes(Iterable<ScenarioRun> runs) {
    return ends.notes(
        runs,
        "The timeline of ",
        WINDOW + " shows another part, " + SAMPLE + " ",
        " the whole run, " + SAMPLE + " 1 everything.");
  }

  @Override
  public void write(Iterable<ScenarioRun> runs) {
    parts.write(compressed, out -> write(runs, out));
  }

  private void write(Iterable<ScenarioRun> runs, OutputStream out) throws IOException {
    String between = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
    for (ScenarioRun run : runs) {
      out.write(between.getBytes(StandardCharsets.UTF_8));
      Files.copy(parts.part(run), out);
      between = ",\n";
    }
    out.write("\n]}\n".getBytes(StandardCharsets.UTF_8));
  }
}
