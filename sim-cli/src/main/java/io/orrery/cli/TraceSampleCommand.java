package io.orrery.cli;

import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceSelection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Some sessions of a trace. */
@Command(
    name = "sample",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Write a part of a trace: whole sessions, with those that they started.",
    footer = {
      "",
      "A larger sample of one seed contains the smaller one.",
      "",
      "Example:",
      "  orrery trace sample traces/quickstart.jsonl.gz --sessions 10 -o ten.parquet"
    })
final class TraceSampleCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;
  @Mixin private TraceOutput output;

  @Option(names = "--sessions", paramLabel = "N", description = "How many root sessions.")
  private @Nullable Integer sessions;

  @Option(names = "--share", paramLabel = "SHARE", description = "Which share of them, as 0.1.")
  private @Nullable Double share;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Decides which are drawn; ${DEFAULT-VALUE} by default.")
  private long seed;

  private final Console console;

  TraceSampleCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if ((sessions == null) == (share == null)) {
      throw new UsageException("sample: expected either --sessions or --share");
    }
    if (sessions != null && sessions < 1) {
      throw new UsageException("--sessions: found " + sessions + ", expected at least 1");
    }
    if (share != null && !(share > 0 && share <= 1)) {
      throw new UsageException("--share: found " + share + ", expected above 0 and at most 1");
    }
    output.claim();
    Trace trace = files.read(console);
    int roots = TraceSelection.rootSessions(trace);
    output.write(TraceSelection.sample(trace, count(roots), seed), console);
    if (sessions != null && sessions > roots) {
      console
          .err()
          .println(
              "orrery: the trace has "
                  + HumanUnits.count(roots, "root session")
                  + ", fewer than --sessions "
                  + sessions
                  + ": it was written whole");
      console.err().flush();
    }
    return 0;
  }

  private int count(int roots) {
    if (sessions != null) {
      return sessions;
    }
    double wanted = share == null ? 1 : share;
    return (int) Math.max(1, Math.round(wanted * roots));
  }
}
