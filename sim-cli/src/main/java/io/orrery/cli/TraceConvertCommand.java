package io.orrery.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A trace in another format. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Write a trace in another format, and say what that cannot hold.",
    footer = {
      "",
      "Example:",
      "  orrery trace convert traces/quickstart.jsonl.gz -o quickstart.parquet"
    })
final class TraceConvertCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;
  @Mixin private TraceOutput output;

  private final Console console;

  TraceConvertCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    output.claim();
    output.write(files.read(console), console);
    return 0;
  }
}
