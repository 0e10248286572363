package io.orrery.cli;

import io.orrery.reports.compare.RunSet;
import io.orrery.reports.export.ExportFormat;
import io.orrery.reports.export.Exports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes results in the formats of other tools. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Write the results of a run in the formats of other tools: AIPerf's profile export as JSON and"
          + " CSV, Prometheus' text format, HdrHistogram's percentile distributions.",
      "Files of a variant go into a folder of its name. All but Prometheus need requests.parquet."
    },
    footer = {"", "Example:", "  orrery export results/ --format aiperf-json --format hgrm"})
final class ExportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "Folder of run -o.")
  private Path folder = Path.of("");

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "aiperf-json, aiperf-csv, prometheus or hgrm; may be repeated. Default: all.")
  private List<String> formats = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write into this folder; default: export in the folder of the run.")
  private @Nullable Path output;

  private final Console console;

  ExportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Set<ExportFormat> wanted = wanted();
    Path requests = folder.resolve("requests.parquet");
    if (!wanted.equals(EnumSet.of(ExportFormat.PROMETHEUS)) && !Files.isRegularFile(requests)) {
      throw new UsageException(
          requests + ": found nothing, expected the table that run -o writes without --no-parquet");
    }
    Map<String, String> texts = Exports.of(read(folder.resolve("summary.json")), requests, wanted);
    List<String> names =
        texts.keySet().stream().map(name -> name.split("/", 2)[0]).distinct().toList();
    Path target = output == null ? folder.resolve("export") : output;
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    texts.forEach(
        (name, text) -> files.put(name, OutputFolder.Content.text(out -> out.write(text))));
    OutputFolder.claim(target, names, true).write(files);
    texts.keySet().forEach(name -> console.out().println(target.resolve(name)));
    console.out().flush();
    return 0;
  }

  private Set<ExportFormat> wanted() {
    if (formats.isEmpty()) {
      return EnumSet.allOf(ExportFormat.class);
    }
    Set<ExportFormat> wanted = EnumSet.noneOf(ExportFormat.class);
    for (String name : formats) {
      wanted.add(
          Arrays.stream(ExportFormat.values())
              .filter(format -> format.key().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--format: found "
                              + name
                              + ", expected one of "
                              + Arrays.stream(ExportFormat.values())
                                  .map(ExportFormat::key)
                                  .collect(Collectors.joining(", ")))));
    }
    return wanted;
  }

  private static RunSet read(Path file) {
    try {
      return RunSet.read(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UsageException(
          file + ": cannot be read (" + IoReason.of(e) + "), expected a folder of run -o");
    } catch (IllegalArgumentException e) {
      throw new UsageException(file + ": " + e.getMessage());
    }
  }
}
