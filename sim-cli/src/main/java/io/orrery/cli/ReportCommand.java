package io.orrery.cli;

import io.orrery.reports.figures.Report;
import io.orrery.reports.page.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a report again, without simulating. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Make the report of a run again from its folder, without simulating.",
    footer = {
      "",
      "Reads report.json and writes report.html, report.md and charts/.",
      "",
      "Example:",
      "  orrery report results/"
    })
final class ReportCommand implements Callable<Integer> {
  private static final List<String> NAMES = List.of("report.html", "report.md", "charts");

  @Parameters(paramLabel = "DIR", description = "Folder of run -o.")
  private Path folder = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write into this folder instead.")
  private @Nullable Path output;

  private final Console console;

  ReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Path target = output == null ? folder : output;
    OutputFolder files = OutputFolder.claim(target, NAMES, true);
    files.write(
        ReportFiles.of(read(folder.resolve("report.json")), ReportFiles.Images.SVG_AND_PNG));
    console.out().println(target.resolve("report.html"));
    console.out().flush();
    return 0;
  }

  private static Report read(Path file) {
    try {
      return ReportJson.read(Files.readString(file));
    } catch (IOException e) {
      throw new UsageException(
          file + ": cannot be read (" + IoReason.of(e) + "), expected a folder of run -o");
    } catch (IllegalArgumentException e) {
      throw new UsageException(file + ": " + e.getMessage());
    }
  }
}
