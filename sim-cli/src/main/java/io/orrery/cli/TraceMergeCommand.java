package io.orrery.cli;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceMerge;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Several traces as one. */
@Command(
    name = "merge",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Write several traces as one, by time. Each FILE is a trace of its own, of any format: blocks"
          + " of different traces are different."
    },
    footer = {
      "",
      "Shards of one trace need no merging: every command takes several files.",
      "",
      "Example:",
      "  orrery trace merge monday.jsonl tuesday.jsonl -o both.parquet"
    })
final class TraceMergeCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;
  @Mixin private TraceOutput output;

  private final Console console;

  TraceMergeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    output.claim();
    List<Trace> traces = files.readEach(console);
    Trace merged;
    try {
      merged = TraceMerge.of(traces);
    } catch (IllegalArgumentException e) {
      throw new UsageException("merge: " + e.getMessage());
    }
    output.write(merged, console);
    return 0;
  }
}
