package io.orrery.cli;

import io.orrery.reports.compare.Comparison;
import io.orrery.reports.compare.ComparisonJson;
import io.orrery.reports.compare.ComparisonReport;
import io.orrery.reports.compare.ComparisonText;
import io.orrery.reports.compare.Pairing;
import io.orrery.reports.compare.RunSet;
import io.orrery.reports.page.HtmlPage;
import io.orrery.reports.page.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what changed between runs. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Compare runs: what changed, by how much, and whether it is more than luck.",
      "One argument: its first variant against each of the others. Several: every variant of the"
          + " first against the one of the same name in each of the others."
    },
    footer = {
      "",
      "Runs are paired by seed; with several seeds (run --seeds N) differences have",
      "95 %% intervals, and those that hold zero are called noise (~).",
      "",
      "Example:",
      "  orrery compare before/ after/"
    })
final class CompareCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description = "Folder of run -o, or a summary as run --json prints it.")
  private List<Path> files = new ArrayList<>();

  @Option(names = "--all", description = "List numbers that did not change, too.")
  private boolean all;

  @Mixin private JsonOption json;

  @Written
  @Option(names = "--html", paramLabel = "FILE", description = "Also write an HTML page.")
  private @Nullable Path html;

  @Written
  @Option(names = "--markdown", paramLabel = "FILE", description = "Also write Markdown.")
  private @Nullable Path markdown;

  @Mixin private ColourOption colour;

  private final Console console;

  CompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (html != null) {
      OutputFolder.claimFile("--html", html);
    }
    if (markdown != null) {
      OutputFolder.claimFile("--markdown", markdown);
    }
    List<RunSet> sets = new ArrayList<>();
    for (Path file : files) {
      sets.add(read(file));
    }
    List<Comparison> comparisons = comparisons(sets);
    if (html != null) {
      OutputFolder.writeFile(html, HtmlPage.of(ComparisonReport.of(comparisons)));
    }
    if (markdown != null) {
      OutputFolder.writeFile(markdown, MarkdownPage.of(ComparisonReport.of(comparisons), ""));
    }
    if (json.asked()) {
      console.out().print(ComparisonJson.of(comparisons));
    } else {
      boolean coloured = colour.of(console.terminal());
      console.styledOut().print(ComparisonText.of(comparisons, all, coloured));
    }
    console.out().flush();
    return 0;
  }

  private static List<Comparison> comparisons(List<RunSet> sets) {
    try {
      return Pairing.of(sets);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static RunSet read(Path path) {
    Path file = Files.isDirectory(path) ? path.resolve("summary.json") : path;
    try {
      return RunSet.read(path.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UsageException(file + ": cannot be read (" + IoReason.of(e) + ")");
    } catch (IllegalArgumentException e) {
      throw new UsageException(file + ": " + e.getMessage());
    }
  }
}
