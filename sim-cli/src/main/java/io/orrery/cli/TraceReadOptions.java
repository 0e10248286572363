package io.orrery.cli;

import io.orrery.traces.ColumnMapping;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceCheck;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceHead;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the files of a trace are read. */
final class TraceReadOptions {
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

  @Mixin private QuarantineOption quarantine = new QuarantineOption();

  /** Reads files as one trace; says on the error stream how many records were kept aside. */
  Trace read(List<Path> paths, Console console) {
    return keptAside(options -> TraceReaders.read(paths, options), console);
  }

  /** As {@link #read}, but no more than has so many requests. */
  TraceHead head(List<Path> paths, int requests, Console console) {
    return keptAside(options -> TraceReaders.head(paths, options, requests), console);
  }

  /** All that is to be said about files; bad records are kept aside where asked to. */
  TraceCheck check(List<Path> paths, Console console) {
    return keptAside(options -> TraceReaders.check(paths, options), console);
  }

  /** Works on the files; writes the records that were kept aside, where that was asked for. */
  private <T> T keptAside(Function<TraceOptions, T> work, Console console) {
    return quarantine.keptAside(
        bad -> work.apply(options().withBadRecords(bad)),
        said -> console.err().println("orrery: " + said));
  }

  boolean keepsBadRecords() {
    return quarantine.given();
  }

  /** Whether any of them was given. */
  boolean given() {
    return format != null
        || blockSize != 0
        || mapping != null
        || noSharedPrefix
        || quarantine.given();
  }

  /** How they are read. */
  TraceOptions options() {
    TraceOptions options;
    try {
      options =
          TraceOptions.defaults()
              .withFormat(format == null ? null : TraceFiles.named("--format", format))
              .withBlockSize(blockSize)
              .withSharedSystemPrefix(!noSharedPrefix);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--block-size: " + e.getMessage());
    }
    if (mapping == null) {
      return options;
    }
    if (format != null && TraceFiles.named("--format", format) != TraceFormat.MAPPED) {
      throw new UsageException(
          "--map: found --format " + format + " beside it, expected one of the two");
    }
    try {
      return options.withColumns(ColumnMapping.parse(mapping));
    } catch (TraceException e) {
      throw new UsageException("--map: " + e.getMessage());
    }
  }
}
