package io.orrery.cli;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.SeedMeans;
import io.orrery.reports.console.ComparisonTable;
import io.orrery.reports.console.LeadSentence;
import io.orrery.reports.console.Paragraph;
import io.orrery.reports.console.Sparklines;
import io.orrery.reports.figures.RecordedDecisions;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replays a trace on a modelled cluster, under every variant of a scenario. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Replay a trace on a modelled cluster, under every variant of a scenario.",
      "With -o, the folder gets the report (report.html, report.md, charts), summary.json, run.yaml"
          + " (every setting with its origin) and tables of requests, sessions, workers and time,"
          + " complete or not at all."
    },
    footer = {
      "",
      "Results go to standard output, everything else to standard error. The same",
      "inputs give the same bytes, on any machine, with any number of threads.",
      "",
      "Example:",
      "  orrery run scenarios/quickstart.yaml --set trace.lanes.count=40"
    })
final class RunCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  @Mixin private FolderOptions output;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Run every variant under so many seeds. The table shows means over them, the report's"
            + " pictures the first; orrery compare gives intervals."
      })
  private int seeds;

  @Option(names = "--csv", description = "With -o, write the tables as CSV, too.")
  private boolean csv;

  @Option(names = "--no-parquet", description = "With -o, write no Parquet tables.")
  private boolean noParquet;

  @Option(names = "--no-charts", description = "With -o, write no image files (charts/).")
  private boolean noCharts;

  @Option(
      names = "--png",
      description = {
        "With -o, draw every chart as PNG, too. orrery report does so later, without simulating."
      })
  private boolean png;

  @Mixin private JsonOption json;

  @Written
  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description = {
        "Write every decision of the router into this file: lines of JSON (.jsonl) or CSV (.csv),"
            + " compressed where .gz stands behind. Adds router.regret_ms. A file ends at a gigabyte"
            + " before compression, unless a sample is asked for."
      })
  private @Nullable Path decisions;

  @Option(
      names = "--decisions-sample",
      paramLabel = "N",
      description = "With --decisions, only those about one session in N; 1 for all, however many.")
  private @Nullable Integer decisionsSample;

  @Written
  @Option(
      names = "--timeline",
      paramLabel = "FILE",
      description = {
        "Write what every worker and request did when into this file (.json or .json.gz), for"
            + " ui.perfetto.dev or chrome://tracing. It ends at five million events, unless a part"
            + " is asked for."
      })
  private @Nullable Path timeline;

  @Option(
      names = "--timeline-window",
      paramLabel = "FROM..TO",
      description = {
        "With --timeline, only what reaches into this simulated time, such as 60s..90s; a whole run"
            + " may have millions of steps."
      })
  private @Nullable String timelineWindow;

  @Option(
      names = "--timeline-sample",
      paramLabel = "N",
      description = {
        "With --timeline, one session in N, and every N steps of a worker that follow each other as"
            + " one; for the whole of a long run. 1 for everything."
      })
  private @Nullable Integer timelineSample;

  @Written
  @Option(
      names = "--timing",
      paramLabel = "FILE",
      description = "Write wall-clock times and peak memory into this file, as JSON.")
  private @Nullable Path timingFile;

  @Mixin private QuarantineOption quarantine;

  @Mixin private ThreadsOption threads;

  @Mixin private ColourOption colour;

  @Mixin private QuietOption quiet;

  private final Console console;

  RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Timing timing = new Timing();
    int atOnce = threads.atOnce();
    if (seeds < 1) {
      throw new UsageException("--seeds: found " + seeds + ", expected at least 1");
    }
    OutputFolder folder = output.claim(RunFiles.NAMES);
    if (png && noCharts) {
      throw new UsageException("--png: found --no-charts beside it, expected one of the two");
    }
    if (timingFile != null) {
      OutputFolder.claimFile("--timing", timingFile, output.path());
    }
    if (folder != null) {
      folder.refuse("--timing", timingFile);
      folder.refuse("--timeline", timeline);
      folder.refuse("--quarantine", quarantine.file());
    }
    List<RunRecordings> recordings = recordings();
    Scenario scenario = arguments.load(seeds);
    refuseTraces(scenario);
    Notes notes = quiet.notes(console);
    notes.print(scenario.notes());
    Experiment experiment = quarantine.prepare(scenario, threads.traces(), notes);
    timing.loaded();
    if (arguments.isWithoutFile()) {
      notes.print(List.of(Headline.ofDefaults(experiment.runs().get(0).variant().spec())));
    }
    List<String> assumptions = experiment.assumptions();
    notes.printSome(assumptions, "assumptions");

    if (folder != null) {
      ReportRehearsal.begin(images());
    }
    List<RunOutcome> outcomes;
    try (Progress progress = quiet.progress(console, experiment.expectedRequests())) {
      outcomes =
          experiment.forEachRun(
              atOnce,
              run -> simulate(run, experiment.runs(), progress, recordings, folder != null));
    }
    timing.replayed(outcomes.stream().map(RunOutcome::replay).toList());

    RecordedDecisions told = new RecordedDecisions();
    for (RunRecordings file : recordings) {
      if (folder != null && file instanceof DecisionsFile kept) {
        told = kept.recorded(experiment.runs(), RunOutcome.figures(outcomes));
      }
      file.write(experiment.runs());
    }
    RunDocument document = RunOutcome.document(experiment, outcomes);
    if (folder != null) {
      RunFiles files = new RunFiles(experiment, document, RunOutcome.figures(outcomes), told);
      folder.write(files.all(images(), !noParquet, csv));
    }
    print(experiment, document, outcomes);
    if (timingFile != null) {
      OutputFolder.writeFile(timingFile, timing.toJson());
    }
    for (RunRecordings file : recordings) {
      notes.print(file.notes(experiment.runs()));
    }
    notes.printSome(RunOutcome.rejections(outcomes), "rejections");
    notes.printSome(RunOutcome.absences(outcomes), "summary");
    notes.print(DrainNote.of(outcomes.stream().map(RunOutcome::drain).toList()).stream().toList());
    notes.print(List.of(timing.line()));
    return 0;
  }

  private ReportFiles.Images images() {
    if (noCharts) {
      return ReportFiles.Images.NONE;
    }
    return png ? ReportFiles.Images.SVG_AND_PNG : ReportFiles.Images.SVG;
  }

  private List<RunRecordings> recordings() {
    List<RunRecordings> files = new ArrayList<>();
    if (seeds > 1 && (decisions != null || timeline != null)) {
      throw new UsageException(
          (decisions != null ? "--decisions" : "--timeline")
              + ": found --seeds "
              + seeds
              + " beside it, expected one");
    }
    if (decisions != null) {
      files.add(DecisionsFile.claim(decisions, decisionsSample, output.path()));
    } else if (decisionsSample != null) {
      throw new UsageException("--decisions-sample: found no --decisions beside it");
    }
    if (timeline != null) {
      files.add(TimelineFile.claim(timeline, output.path(), timelineWindow, timelineSample));
    } else if (timelineWindow != null) {
      throw new UsageException("--timeline-window: found no --timeline beside it");
    } else if (timelineSample != null) {
      throw new UsageException("--timeline-sample: found no --timeline beside it");
    }
    return files;
  }

  /** No file that is written besides the results is one of a trace. */
  private void refuseTraces(Scenario scenario) {
    List<Path> traces = scenario.traceFiles();
    refuse("--timing", timingFile, traces);
    refuse("--decisions", decisions, traces);
    refuse("--timeline", timeline, traces);
  }

  private static void refuse(String option, @Nullable Path file, List<Path> traces) {
    if (file != null) {
      DistinctFiles.refuse(option, file, traces);
    }
  }

  private RunOutcome simulate(
      ScenarioRun run,
      List<ScenarioRun> runs,
      Progress progress,
      List<RunRecordings> recordings,
      boolean keep) {
    long begun = System.nanoTime();
    RunResult result =
        RunRecordings.simulate(run, runs.indexOf(run), runs.size(), recordings, progress.ofRun());
    long nanos = System.nanoTime() - begun;
    return RunOutcome.of(run, result, nanos, threads.forEachOf(runs.size()), keep);
  }

  private void print(Experiment experiment, RunDocument document, List<RunOutcome> outcomes) {
    if (json.asked()) {
      console.out().print(document.toJson());
    } else {
      console.out().println(wrapped(Headline.of(experiment)));
      console.out().println();
      List<RunReport> runs = SeedMeans.of(document.runs());
      console.out().println(wrapped(LeadSentence.of(runs)));
      console.out().println();
      console.styledOut().print(ComparisonTable.of(runs, colour.of(console.terminal())));
      if (console.terminal().pictures()) {
        console.out().print("\n" + Sparklines.ofTtft(RunOutcome.ttftOverTime(outcomes)));
      }
      if (seeds > 1) {
        console.out().println("Means over " + seeds + " seeds.");
      }
    }
    console.out().flush();
  }

  private static String wrapped(String text) {
    return Paragraph.wrapped(text, ComparisonTable.WIDTH);
  }
}
