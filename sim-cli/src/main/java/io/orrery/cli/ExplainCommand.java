package io.orrery.cli;

import io.orrery.reports.decisions.DecisionExplanation;
import io.orrery.reports.decisions.DecisionReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one decision of the router as a table and in words. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Show why the router sent a request where it did, and what the best other choice had been."
    },
    footer = {
      "",
      "The decisions come from orrery run -o DIR --decisions DIR/decisions.jsonl.",
      "",
      "Example:",
      "  orrery explain out --request s12/3 --run kv-aware"
    })
final class ExplainCommand implements Callable<Integer> {
  /** The file of decisions in a folder. */
  static final String DECISIONS = "decisions.jsonl";

  /** The same, compressed. */
  static final String COMPRESSED_DECISIONS = DECISIONS + ".gz";

  @Parameters(
      paramLabel = "DIR",
      description = "A folder with decisions.jsonl or decisions.jsonl.gz, or a file of decisions.")
  private Path where = Path.of("");

  @Option(names = "--request", required = true, paramLabel = "ID", description = "The request.")
  private String request = "";

  @Option(names = "--run", paramLabel = "NAME", description = "Only in this run.")
  private @Nullable String run;

  private final Console console;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Path file = Files.isDirectory(where) ? inFolder() : where;
    if (!Files.exists(file)) {
      throw new UsageException(
          file
              + ": found nothing, expected decisions; orrery run SCENARIO --decisions "
              + file
              + " writes them");
    }
    List<DecisionReader.Named> found;
    try (BufferedReader lines = DecisionsFile.reader(file)) {
      found = new DecisionReader().about(lines, request);
    } catch (IOException e) {
      throw new UsageException(file + ": " + IoReason.of(e));
    }
    List<DecisionReader.Named> shown =
        found.stream().filter(named -> run == null || named.run().equals(run)).toList();
    if (shown.isEmpty()) {
      throw new UsageException(
          file
              + ": found no decision about request "
              + request
              + (run == null ? "" : " in run " + run)
              + (found.isEmpty()
                  ? ", expected a request of the trace that was sent"
                  : ", expected one of the runs "
                      + String.join(
                          ", ",
                          found.stream().map(DecisionReader.Named::run).distinct().toList())));
    }
    String separator = "";
    for (DecisionReader.Named named : shown) {
      console.out().print(separator + DecisionExplanation.of(named.row(), "run " + named.run()));
      separator = "\n";
    }
    console.out().flush();
    return 0;
  }

  private Path inFolder() {
    Path compressed = where.resolve(COMPRESSED_DECISIONS);
    return Files.exists(compressed) ? compressed : where.resolve(DECISIONS);
  }
}
