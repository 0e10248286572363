package io.orrery.cli;

import io.orrery.models.Names;
import io.orrery.traces.ColumnMapping;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceCheck;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceHead;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which files make a trace, and how they are read. */
final class TraceFiles {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files, folders or zip archives that are one trace together.")
  List<String> places = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "Read as this format instead of telling it by content, as mooncake.")
  private @Nullable String format;

  @Option(
      names = "--block-size",
      paramLabel = "TOKENS",
      description = "Tokens per block, for formats whose files do not say it.")
  private int blockSize;

  @Option(
      names = "--map",
      paramLabel = "NAME=COLUMN",
      description = "What the columns of a table mean, as input=prompt,output=gen,timestamp=ts:s.")
  private @Nullable String mapping;

  @Option(
      names = "--no-shared-prefix",
      description = "Claude Code sessions do not share the blocks of their system prompt.")
  private boolean noSharedPrefix;

  @Written
  @Option(
      names = "--quarantine",
      paramLabel = "FILE",
      description = "Keep records that cannot be read aside, in this file, and go on without them.")
  private @Nullable Path quarantine;

  /** Reads the files as one trace; says on the error stream how many records were kept aside. */
  Trace read(Console console) {
    return read(files(), console);
  }

  /** As {@link #read}, but no more than has so many requests. */
  TraceHead head(int requests, Console console) {
    return keptAside(options -> TraceReaders.head(files(), options, requests), console);
  }

  /** Reads each file as a trace of its own. */
  List<Trace> readEach(Console console) {
    if (quarantine != null && places.size() > 1) {
      throw new UsageException("--quarantine: found several traces, expected one");
    }
    List<Trace> traces = new ArrayList<>();
    for (Path file : files()) {
      traces.add(read(List.of(file), console));
    }
    return traces;
  }

  private Trace read(List<Path> paths, Console console) {
    return keptAside(options -> TraceReaders.read(paths, options), console);
  }

  /** All that is to be said about the files; bad records are kept aside where asked to. */
  TraceCheck check(Console console) {
    return keptAside(options -> TraceReaders.check(files(), options), console);
  }

  /** Works on the files; writes the records that were kept aside, where that was asked for. */
  private <T> T keptAside(Function<TraceOptions, T> work, Console console) {
    Path aside = quarantine;
    if (aside == null) {
      return work.apply(options());
    }
    OutputFolder.claimFile("--quarantine", aside);
    Quarantine kept = new Quarantine();
    T result = work.apply(options().withBadRecords(kept));
    kept.write(aside, console);
    return result;
  }

  boolean keepsBadRecords() {
    return quarantine != null;
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
    TraceOptions options;
    try {
      options =
          TraceOptions.defaults()
              .withFormat(format == null ? null : named("--format", format))
              .withBlockSize(blockSize)
              .withSharedSystemPrefix(!noSharedPrefix);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--block-size: " + e.getMessage());
    }
    if (mapping == null) {
      return options;
    }
    if (format != null && named("--format", format) != TraceFormat.MAPPED) {
      throw new UsageException(
          "--map: found --format " + format + " beside it, expected one of the two");
    }
    try {
      return options.withColumns(ColumnMapping.parse(mapping));
    } catch (TraceException e) {
      throw new UsageException("--map: " + e.getMessage());
    }
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
