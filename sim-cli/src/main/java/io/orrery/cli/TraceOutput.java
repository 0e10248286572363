package io.orrery.cli;

import io.orrery.models.Names;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceWriter;
import io.orrery.traces.TraceWriters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a trace is written, and as what. */
final class TraceOutput {
  /** What readers take where nobody says. */
  private static final int MOONCAKE_BLOCKS = 512;

  @Written
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "Write the trace into this file, complete or not at all.")
  private Path output = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "NAME",
      description = {
        "Format to write: orrery (Parquet, loses nothing), mooncake, agentic-mooncake, weka or"
            + " dynamo. By default orrery for FILE.parquet, else that of the trace."
      })
  private @Nullable String format;

  @Option(
      names = "--no-losses",
      description = "Write nothing if the format cannot hold all of the trace.")
  private boolean noLosses;

  @Option(
      names = "--unchecked",
      description = "Do not read back what was written, to say what is lost.")
  private boolean unchecked;

  /** Checks, before any work is done, that the file may be written. */
  void claim() {
    OutputFolder.claimFile("-o", output);
    if (noLosses && unchecked) {
      throw new UsageException("--no-losses: found --unchecked beside it, expected one of them");
    }
    if (format != null) {
      named(format);
    }
  }

  /**
   * Writes the trace; says what it is and what is lost on the error stream.
   *
   * @return as what it was written
   */
  TraceFormat write(Trace trace, Console console) {
    TraceWriter writer = TraceWriters.of(format(trace)).orElseThrow();
    List<String> losses = new ArrayList<>();
    OutputFolder.writeFile(
        output,
        file -> {
          writer.write(trace, file);
          losses.addAll(unchecked ? List.of() : writer.losses(trace, file));
          refuse(writer, losses);
        });
    console
        .err()
        .println(
            "orrery: wrote "
                + output
                + " ("
                + writer.format().formatName()
                + "): "
                + HumanUnits.count(trace.requestCount(), "request")
                + " in "
                + HumanUnits.count(trace.sessionCount(), "session"));
    losses.forEach(loss -> console.err().println("orrery: " + loss));
    sayBlockSize(trace, writer.format(), console);
    console.err().flush();
    return writer.format();
  }

  private void refuse(TraceWriter writer, List<String> losses) {
    if (noLosses && !losses.isEmpty()) {
      throw new UsageException(
          "--to "
              + writer.format().formatName()
              + ": it cannot hold all of the trace\n"
              + String.join("\n", losses));
    }
  }

  /** Mooncake rows do not say how long blocks are. */
  private static void sayBlockSize(Trace trace, TraceFormat written, Console console) {
    int size = trace.blockSize();
    if (written == TraceFormat.MOONCAKE && trace.blocksKnown() && size != MOONCAKE_BLOCKS) {
      console
          .err()
          .println(
              "orrery: blocks of "
                  + size
                  + " tokens: read it with trace.blockSize "
                  + size
                  + ", or --block-size "
                  + size);
    }
  }

  /** The format of this name that can be written. */
  private static TraceFormat named(String name) {
    List<String> written = TraceWriters.formats().stream().map(TraceFormat::formatName).toList();
    if (!written.contains(name)) {
      throw new UsageException(
          "--to: found "
              + name
              + ", expected a format that can be written: "
              + written()
              + Names.didYouMean(name, written));
    }
    return TraceFormat.named(name);
  }

  private TraceFormat format(Trace trace) {
    if (format != null) {
      return named(format);
    }
    if (output.toString().toLowerCase(Locale.ROOT).endsWith(".parquet")) {
      return TraceFormat.ORRERY;
    }
    String own = trace.provenance().format();
    return TraceWriters.formats().stream()
        .filter(known -> known != TraceFormat.ORRERY && known.formatName().equals(own))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--to: found nothing for a trace of the format "
                        + own
                        + ", expected one of "
                        + written()));
  }

  private static String written() {
    return TraceWriters.formats().stream()
        .map(TraceFormat::formatName)
        .collect(Collectors.joining(", "));
  }
}
