package io.orrery.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that one can do to traces. Its subcommands are lines in {@link #subcommands(Console)}. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Look into traces, check, convert, cut, join, change and make them.",
    footer = {"", "Example:", "  orrery trace stats traces/quickstart.jsonl.gz"})
final class TraceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** The subcommands, in the order of the help. */
  static Object[] subcommands(Console console) {
    return new Object[] {
      new TraceStatsCommand(console),
      new TraceValidateCommand(console),
      new TraceHeadCommand(console),
      new TraceConvertCommand(console),
      new TraceSampleCommand(console),
      new TraceMergeCommand(console),
      new TraceShiftCommand(console),
      new TraceScaleCommand(console),
      new TraceAnonymiseCommand(console),
      new TraceImportCommand(console),
      new TraceSynthesizeCommand(console)
    };
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing what to do");
  }
}
