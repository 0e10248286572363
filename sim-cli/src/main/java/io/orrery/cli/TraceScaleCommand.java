package io.orrery.cli;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceTimes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A trace with more or less load, or other waits. */
@Command(
    name = "scale",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Write a trace whose sessions start more densely, or whose turns wait longer. Sessions stay"
          + " what they are: two days of load in one are not two users' load in one."
    },
    footer = {
      "",
      "Example:",
      "  orrery trace scale conversation_trace.jsonl --load 2 -o twice.jsonl"
    })
final class TraceScaleCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;
  @Mixin private TraceOutput output;

  @Option(
      names = "--load",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "2 for sessions that start twice as fast one after the other.")
  private double load;

  @Option(
      names = "--waits",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "0.5 for half the waits between the turns of a session.")
  private double waits;

  private final Console console;

  TraceScaleCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!(load > 0 && Double.isFinite(load))) {
      throw new UsageException("--load: found " + load + ", expected a number above 0");
    }
    if (!(waits >= 0 && Double.isFinite(waits))) {
      throw new UsageException("--waits: found " + waits + ", expected a number of at least 0");
    }
    if (load == 1 && waits == 1) {
      throw new UsageException(
          "scale: found neither --load nor --waits, expected one other than 1");
    }
    output.claim();
    Trace trace = files.read(console);
    if (load != 1 && !trace.sharedClock()) {
      throw new UsageException(
          "--load: found sessions that each start at 0, expected a trace whose sessions share a"
              + " clock (a scenario's trace.lanes or trace.arrivals decide the load of others)");
    }
    Trace scaled;
    try {
      scaled = TraceTimes.scaled(trace, load, waits);
    } catch (IllegalArgumentException e) {
      throw new UsageException("scale: " + e.getMessage());
    }
    output.write(scaled, console);
    return 0;
  }
}
