package io.orrery.cli;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.figures.Report;
import io.orrery.reports.page.ReportJson;
import io.orrery.reports.plan.PlanDocument;
import io.orrery.reports.plan.PlanReport;
import io.orrery.reports.plan.PlanResult;
import io.orrery.reports.plan.PlanText;
import io.orrery.reports.plan.Planner;
import io.orrery.reports.work.WorkEngine;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.plan.PlanReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Answers how much a cluster carries, or how many GPUs a load needs. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Find how many sessions a GPU carries within an SLO, or how few GPUs, dollars or kilowatts a"
          + " load needs; and what gives way first.",
      "Compares the scenario's variants under its slo, or what its plan section says."
    },
    footer = {
      "",
      "Every size is tried under the same seeds for all candidates. With -o, trials are",
      "kept; the same command goes on where an earlier one was ended, and at the end",
      "the folder gets plan.json and the report.",
      "Exit status 1 if no candidate holds the SLO.",
      "",
      "Example:",
      "  orrery plan scenarios/quickstart.yaml"
    })
final class PlanCommand implements Callable<Integer> {
  private static final int NOTHING_HOLDS = 1;

  @Mixin private ScenarioArguments arguments;

  @Option(
      names = "--find",
      paramLabel = "WHAT",
      description = "What to look for instead of plan.find: concurrency, gpus, usd or kwh.")
  private Plan.@Nullable Find find;

  @Mixin private FolderOptions output;

  @Mixin private JsonOption json;

  @Mixin private ThreadsOption threads;

  @Mixin private EngineOptions engine;

  @Mixin private QuietOption quiet;

  private final Console console;

  PlanCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    int atOnce = threads.atOnce(engine);
    Plan plan = PlanReader.read(arguments.layers("plan"), find);
    try (SweepFolder folder = output.openSweep()) {
      try {
        return answer(plan, folder, atOnce);
      } catch (IOException | UncheckedIOException e) {
        throw folder.failure(e);
      }
    }
  }

  private int answer(Plan plan, SweepFolder folder, int atOnce) throws IOException {
    long begun = System.nanoTime();
    String version = arguments.version();
    PlanResult result =
        engine.isLocal() ? here(plan, folder, version, atOnce) : elsewhere(plan, folder, version);
    if (result.failure().isPresent()) {
      throw new UsageException(result.failure().get());
    }
    folder.journal().order(List.of());
    String document = PlanDocument.of(result, version);
    if (folder.isKept()) {
      folder.write(files(document, PlanReport.of(result, version)));
    }
    console.out().print(json.asked() ? document : PlanText.of(result));
    console.out().flush();
    quiet
        .notes(console)
        .print(
            List.of(
                result.simulated()
                    + " trials in "
                    + HumanUnits.seconds((System.nanoTime() - begun) / 1e9)));
    return result.holds() ? 0 : NOTHING_HOLDS;
  }

  private PlanResult here(Plan plan, SweepFolder folder, String version, int atOnce) {
    try (Progress progress = quiet.progress(console, 0, "trials")) {
      return new Planner(
              plan, threads.preparation(), folder.journal(), version, trial -> progress.one())
          .answer(atOnce);
    }
  }

  private PlanResult elsewhere(Plan plan, SweepFolder folder, String version) {
    try (WorkEngine workers = engine.start(arguments.plugins.jars());
        Progress progress = quiet.progress(console, 0, "trials")) {
      RunPreparation preparation = new RunPreparation(workers.here().traces());
      return Planner.on(
              workers,
              arguments.text(),
              plan,
              preparation,
              folder.journal(),
              version,
              trial -> progress.one())
          .answer(workers.width());
    }
  }

  private static Map<String, OutputFolder.Content> files(String document, Report report) {
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    files.put("plan.json", OutputFolder.Content.text(out -> out.write(document)));
    files.put("report.json", OutputFolder.Content.text(out -> out.write(ReportJson.of(report))));
    files.putAll(ReportFiles.of(report, ReportFiles.Images.SVG_AND_PNG));
    return files;
  }
}
