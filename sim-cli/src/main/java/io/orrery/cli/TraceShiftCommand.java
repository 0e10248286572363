package io.orrery.cli;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceTimes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A trace at another time. */
@Command(
    name = "shift",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Write a trace that starts later, or earlier: to be merged with another.",
      "Parquet keeps the shift; the other formats begin at their first start, whatever it is."
    },
    footer = {"", "Example:", "  orrery trace shift azure.csv --by 24h -o tomorrow.parquet"})
final class TraceShiftCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;
  @Mixin private TraceOutput output;

  @Option(
      names = "--by",
      paramLabel = "TIME",
      required = true,
      description = "How much later, as 90s, 5min or 24h; less than nothing for earlier.")
  private String by = "";

  private final Console console;

  TraceShiftCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    output.claim();
    boolean earlier = by.startsWith("-");
    long nanos = DurationOption.nanos("--by", earlier ? by.substring(1) : by);
    Trace trace = files.read(console);
    Trace shifted;
    try {
      shifted = TraceTimes.shifted(trace, earlier ? -nanos : nanos);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--by " + by + ": " + e.getMessage());
    }
    TraceFormat written = output.write(shifted, console);
    if (written != TraceFormat.ORRERY) {
      console
          .err()
          .println(
              "orrery: a trace in the format "
                  + written.formatName()
                  + " begins at its first start, whatever its times are: only orrery (Parquet)"
                  + " keeps the shift");
      console.err().flush();
    }
    return 0;
  }
}
