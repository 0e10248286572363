package io.orrery.cli;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.Rejections;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.SeedMeans;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.console.ComparisonTable;
import io.orrery.reports.console.LeadSentence;
import io.orrery.reports.console.Paragraph;
import io.orrery.reports.figures.RunFigures;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.Slo;
import io.orrery.reports.summary.Summary;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.LoadedProfile;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.spec.SloSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    description = "Replay a trace on a modelled cluster, under every variant of a scenario.",
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

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = {
        "Also write the report (report.html, report.md, charts), summary.json, run.yaml (every"
            + " setting with its origin) and tables of requests, sessions, workers and time into"
            + " this folder, complete or not at all."
      })
  private @Nullable Path output;

  @Option(names = "--force", description = "Let -o use a folder that has other files; they stay.")
  private boolean force;

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

  @Option(names = "--json", description = "Print one JSON document instead of the table.")
  private boolean json;

  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description = {
        "Write every decision of the router into this file: lines of JSON (.jsonl) or CSV (.csv)."
            + " Adds router.regret_ms."
      })
  private @Nullable Path decisions;

  @Option(
      names = "--timing",
      paramLabel = "FILE",
      description = "Write wall-clock times and peak memory into this file, as JSON.")
  private @Nullable Path timingFile;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Variants to simulate at once; by default as many as there are processors.")
  private @Nullable Integer threads;

  @Mixin private ColourOption colour;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only errors on standard error.")
  private boolean quiet;

  private final Console console;

  RunCommand(Console console) {
    this.console = console;
  }

  /** What is kept of a run; figures only if its report is to be written. */
  private record Outcome(
      ScenarioRun run,
      Summary summary,
      List<Rejections.Group> rejections,
      Timing.Replay replay,
      @Nullable RunFigures figures) {}

  @Override
  public Integer call() {
    Timing timing = new Timing();
    int atOnce = threads();
    if (seeds < 1) {
      throw new UsageException("--seeds: found " + seeds + ", expected at least 1");
    }
    OutputFolder folder = output == null ? null : OutputFolder.claim(output, RunFiles.NAMES, force);
    if (timingFile != null) {
      OutputFolder.claimFile("--timing", timingFile);
    }
    if (decisions != null && seeds > 1) {
      throw new UsageException("--decisions: found --seeds " + seeds + " beside it, expected one");
    }
    DecisionsFile written = decisions == null ? null : DecisionsFile.claim(decisions);
    Scenario scenario = arguments.load(seeds);
    Notes notes = new Notes(quiet ? null : console.err());
    notes.print(scenario.notes());
    Experiment experiment = Experiment.prepare(scenario);
    timing.loaded();
    if (arguments.isWithoutFile()) {
      notes.print(List.of(Headline.ofDefaults(experiment.runs().get(0).variant().spec())));
    }
    List<String> assumptions = experiment.assumptions();
    notes.printSome(assumptions, "assumptions");

    List<Outcome> outcomes;
    try (Progress progress = new Progress(console, quiet ? -1 : experiment.expectedRequests())) {
      outcomes =
          experiment.forEachRun(atOnce, run -> simulate(run, progress, written, folder != null));
    }
    timing.replayed(outcomes.stream().map(Outcome::replay).toList());

    if (written != null) {
      written.finish(experiment.runs());
    }
    RunDocument document = document(experiment, assumptions, outcomes);
    if (folder != null) {
      RunFiles files = new RunFiles(experiment, document, figures(outcomes));
      folder.write(files.all(!noParquet, csv));
    }
    print(experiment, document);
    if (timingFile != null) {
      OutputFolder.writeFile(timingFile, timing.toJson());
    }
    notes.printSome(rejections(outcomes), "rejections");
    notes.print(List.of(timing.line()));
    return 0;
  }

  private int threads() {
    if (threads == null) {
      return Runtime.getRuntime().availableProcessors();
    }
    if (threads < 1) {
      throw new UsageException("--threads: found " + threads + ", expected at least 1");
    }
    return threads;
  }

  private static Outcome simulate(
      ScenarioRun run, Progress progress, @Nullable DecisionsFile decisions, boolean keep) {
    long begun = System.nanoTime();
    RunResult result =
        decisions == null
            ? run.simulate(progress.ofRun())
            : decisions.simulate(run, progress.ofRun());
    long nanos = System.nanoTime() - begun;
    SloSpec slo = run.variant().spec().slo();
    RunFacts facts =
        new RunFacts(
            run.trace(),
            run.view(),
            result,
            new Slo(slo.ttftNanos(), slo.tokensPerSecondPerUser()),
            keep ? RunFigures.STRETCHES : 0);
    Summary summary = Metrics.summarise(facts);
    String name = run.variant().name();
    long requests = (long) summary.get("requests.dispatched", 0);
    return new Outcome(
        run,
        summary,
        Rejections.of(result),
        new Timing.Replay(name, nanos, requests),
        keep ? RunFigures.of(name, facts, summary) : null);
  }

  private static List<String> rejections(List<Outcome> outcomes) {
    List<String> lines = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      String of = outcomes.size() == 1 ? "" : " by " + outcome.run().variant().name();
      for (Rejections.Group group : outcome.rejections()) {
        lines.add("Rejected" + of + ": " + group.text() + ".");
      }
    }
    return lines;
  }

  private static RunDocument document(
      Experiment experiment, List<String> assumptions, List<Outcome> outcomes) {
    Map<String, TraceDescription> traces = new LinkedHashMap<>();
    List<RunReport> reports = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      ScenarioRun run = outcome.run();
      TraceDescription trace = TraceDescription.of(run.trace());
      traces.putIfAbsent(trace.digest(), trace);
      reports.add(
          new RunReport(
              run.variant().name(),
              run.variant().config().tree(),
              run.variant().config().digest(),
              trace.digest(),
              profile(run),
              outcome.summary(),
              outcome.rejections()));
    }
    return new RunDocument(
        Version.current(),
        experiment.name(),
        assumptions,
        new ArrayList<>(traces.values()),
        reports);
  }

  private static Map<String, String> profile(ScenarioRun run) {
    LoadedProfile profile = run.profile();
    Map<String, String> facts = new LinkedHashMap<>();
    if (profile != null) {
      facts.put("name", profile.name());
      facts.put("sha256", profile.sha256());
    }
    return facts;
  }

  private static List<RunFigures> figures(List<Outcome> outcomes) {
    List<RunFigures> figures = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Outcome outcome : outcomes) {
      if (outcome.figures() != null && names.add(outcome.run().variant().name())) {
        figures.add(outcome.figures());
      }
    }
    return figures;
  }

  private void print(Experiment experiment, RunDocument document) {
    if (json) {
      console.out().print(document.toJson());
    } else {
      console.out().println(wrapped(Headline.of(experiment)));
      console.out().println();
      List<RunReport> runs = SeedMeans.of(document.runs());
      console.out().println(wrapped(LeadSentence.of(runs)));
      console.out().println();
      console.out().print(ComparisonTable.of(runs, colour.of(console.terminal())));
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
