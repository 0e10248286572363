package io.orrery.cli;

import io.orrery.models.Catalog;
import io.orrery.models.Names;
import io.orrery.reports.fidelity.FidelityDocument;
import io.orrery.reports.fidelity.FidelityPage;
import io.orrery.reports.fidelity.FidelityTable;
import io.orrery.reports.fidelity.ScatterChart;
import io.orrery.scenarios.fidelity.Configuration;
import io.orrery.scenarios.fidelity.FidelityResult;
import io.orrery.scenarios.fidelity.FidelityRun;
import io.orrery.scenarios.fidelity.StepTimeChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replays measured serving configurations and says how far off the simulation is. */
@Command(
    name = "fidelity",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Replay measured serving configurations and say how far off the simulation is.",
      "With -o, the folder gets fidelity.md, fidelity.svg and fidelity.json, complete or not"
          + " at all."
    },
    footer = {
      "",
      "Measurements are CSV files of closed loops (docs/fidelity.md has the columns) or",
      "NAME.vllm_requests.jsonl with the times of every request. Host constants are",
      "fitted without the rows that they are judged on.",
      "",
      "Example:",
      "  orrery fidelity measured.csv --filter engine=vllm --filter system=h100"
    })
final class FidelityCommand implements Callable<Integer> {
  private static final String PAGE = "fidelity.md";
  private static final String CHART = "fidelity.svg";
  private static final String DOCUMENT = "fidelity.json";

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files of measurements.")
  private List<Path> files;

  @Option(
      names = "--filter",
      paramLabel = "KEY=VALUE",
      description = {
        "Only measurements with this value: system, engine, version, model, weights, input, output,"
            + " concurrency, tp, ep or attention_dp; may be repeated."
      })
  private List<String> filters = new ArrayList<>();

  @Option(
      names = "--step-time",
      paramLabel = "KIND",
      description = "law (default) or table, which needs --perf-data.")
  private @Nullable String stepTime;

  @Option(
      names = "--perf-data",
      paramLabel = "DIR",
      description = "Folder of measured kernel tables; steps are timed by them.")
  private @Nullable Path perfData;

  @Mixin private FolderOptions output;

  @Mixin private JsonOption json;

  @Mixin private ThreadsOption threads;

  @Mixin private QuietOption quiet;

  private final Console console;

  FidelityCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Predicate<Configuration> wanted = wanted();
    StepTimeChoice choice = choice();
    OutputFolder folder = output.claim(List.of(PAGE, CHART, DOCUMENT));
    FidelityRun run = new FidelityRun(Catalog.bundled(), choice, threads.atOnce());
    for (Path file : files) {
      run.add(file, wanted);
    }
    if (run.measurements() == 0) {
      throw new UsageException(
          "--filter "
              + String.join(" ", filters)
              + ": found no measurement, expected at least one");
    }
    FidelityResult result;
    try (Progress progress = quiet.progress(console, run.expectedRequests())) {
      result = run.run(progress.ofRun());
    }
    FidelityDocument document = new FidelityDocument(Version.current(), result);
    if (folder != null) {
      Map<String, OutputFolder.Content> content = new LinkedHashMap<>();
      content.put(
          PAGE, OutputFolder.Content.text(out -> out.write(FidelityPage.of(result, CHART))));
      content.put(CHART, OutputFolder.Content.text(out -> ScatterChart.write(result, out)));
      content.put(DOCUMENT, OutputFolder.Content.text(out -> out.write(document.toJson())));
      folder.write(content);
    }
    console.out().print(json.asked() ? document.toJson() : FidelityTable.of(result));
    console.out().flush();
    return 0;
  }

  private StepTimeChoice choice() {
    String kind = stepTime != null ? stepTime : perfData == null ? "law" : "table";
    if (kind.equals("law") && perfData == null) {
      return StepTimeChoice.LAW;
    }
    if (!kind.equals("table")) {
      throw new UsageException(
          "--step-time: found "
              + kind
              + ", expected law or table"
              + (perfData == null ? "" : "; --perf-data goes with table"));
    }
    if (perfData == null || !Files.isDirectory(perfData)) {
      throw new UsageException(
          "--perf-data: found "
              + (perfData == null ? "nothing" : perfData + ", which is no folder")
              + ", expected the folder of the measured tables");
    }
    return StepTimeChoice.table(perfData.toString());
  }

  private Predicate<Configuration> wanted() {
    Predicate<Configuration> wanted = configuration -> true;
    for (String filter : filters) {
      int equals = filter.indexOf('=');
      String key = equals < 0 ? filter : filter.substring(0, equals);
      if (equals < 0 || !Configuration.KEYS.contains(key)) {
        throw new UsageException(
            "--filter: found "
                + filter
                + ", expected KEY=VALUE with one of "
                + String.join(", ", Configuration.KEYS)
                + Names.didYouMean(key, Configuration.KEYS));
      }
      String value = filter.substring(equals + 1);
      wanted = wanted.and(configuration -> value.equals(configuration.keys().get(key)));
    }
    return wanted;
  }
}
