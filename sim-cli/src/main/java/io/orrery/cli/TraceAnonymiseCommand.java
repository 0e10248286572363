package io.orrery.cli;

import io.orrery.traces.TraceAnonymisation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A trace without names. */
@Command(
    name = "anonymise",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Write a trace without names: ids of sessions and requests, models, adapters, workers and"
          + " tools become keyed hashes, block hashes numbers, times are rounded down."
    },
    footer = {
      "",
      "Lengths, and which blocks prompts share, stay: they are what a trace is for.",
      "",
      "Example:",
      "  orrery trace anonymise dynamo/ --round 100ms -o anonymous.parquet"
    })
final class TraceAnonymiseCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;
  @Mixin private TraceOutput output;

  @Option(
      names = "--round",
      paramLabel = "TIME",
      defaultValue = "1ms",
      description = "Times and waits become multiples of it; ${DEFAULT-VALUE} by default.")
  private String round = "";

  @Mixin private Salt salt;

  private final Console console;

  TraceAnonymiseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    output.claim();
    long nanos = DurationOption.nanos("--round", round);
    if (nanos < 1) {
      throw new UsageException("--round: found " + round + ", expected at least 1ns");
    }
    output.write(TraceAnonymisation.of(files.read(console), salt.bytes(), nanos), console);
    return 0;
  }
}
