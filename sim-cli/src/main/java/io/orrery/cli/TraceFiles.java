package io.orrery.cli;

import io.orrery.models.Names;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceCheck;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceHead;
import io.orrery.traces.TraceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which files make a trace, and how they are read. */
final class TraceFiles {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files, folders or zip archives that are one trace together.")
  List<String> places = new ArrayList<>();

  @Mixin private TraceReadOptions reading = new TraceReadOptions();

  /** Reads the files as one trace; says on the error stream how many records were kept aside. */
  Trace read(Console console) {
    return reading.read(files(), console);
  }

  /** As {@link #read}, but no more than has so many requests. */
  TraceHead head(int requests, Console console) {
    return reading.head(files(), requests, console);
  }

  /** Reads each file as a trace of its own. */
  List<Trace> readEach(Console console) {
    if (reading.keepsBadRecords() && places.size() > 1) {
      throw new UsageException("--quarantine: found several traces, expected one");
    }
    List<Trace> traces = new ArrayList<>();
    for (Path file : files()) {
      traces.add(reading.read(List.of(file), console));
    }
    return traces;
  }

  /** All that is to be said about the files; bad records are kept aside where asked to. */
  TraceCheck check(Console console) {
    return reading.check(files(), console);
  }

  boolean keepsBadRecords() {
    return reading.keepsBadRecords();
  }

  private List<Path> files() {
    return places.stream().map(Path::of).toList();
  }

  /** The files' names as they were given. */
  List<String> places() {
    return List.copyOf(places);
  }

  /** How they are read. */
  TraceOptions options() {
    return reading.options();
  }

  /** The format of this name. */
  static TraceFormat named(String option, String name) {
    List<String> known = Arrays.stream(TraceFormat.values()).map(TraceFormat::formatName).toList();
    if (!known.contains(name)) {
      throw new UsageException(
          option
              + ": found "
              + name
              + ", expected one of "
              + String.join(", ", known)
              + Names.didYouMean(name, known));
    }
    return TraceFormat.named(name);
  }
}
