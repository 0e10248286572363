package io.orrery.cli;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.console.ComparisonTable;
import io.orrery.reports.console.LeadSentence;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.Slo;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.spec.SloSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replays a trace on a modelled cluster, under every variant of a scenario. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Replay a trace on a modelled cluster, under every variant of a scenario.")
final class RunCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  @Option(names = "--json", description = "Print one JSON document instead of the table.")
  private boolean json;

  @Option(names = "--threads", paramLabel = "N", description = "Variants to simulate at once.")
  private int threads;

  private final Console console;

  RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Scenario scenario = arguments.load();
    scenario.notes().forEach(console.err()::println);
    Experiment experiment = Experiment.prepare(scenario);
    List<String> assumptions = experiment.assumptions();
    assumptions.forEach(console.err()::println);
    int atOnce =
        threads > 0
            ? threads
            : Math.min(experiment.runs().size(), Runtime.getRuntime().availableProcessors());
    Map<String, TraceDescription> traces = new LinkedHashMap<>();
    List<String> digests = new ArrayList<>();
    for (ScenarioRun run : experiment.runs()) {
      TraceDescription trace = TraceDescription.of(run.trace());
      traces.putIfAbsent(trace.digest(), trace);
      digests.add(trace.digest());
    }
    List<RunReport> reports = experiment.forEachRun(atOnce, this::simulate);
    RunDocument document =
        new RunDocument(
            Version.current(),
            experiment.name(),
            assumptions,
            new ArrayList<>(traces.values()),
            reports);
    if (json) {
      console.out().print(document.toJson());
    } else {
      console.out().println(LeadSentence.of(reports));
      console.out().println();
      console.out().print(ComparisonTable.of(reports, console.terminal().colour()));
    }
    console.out().flush();
    return 0;
  }

  private RunReport simulate(ScenarioRun run) {
    RunResult result = run.simulate(ended -> {});
    SloSpec slo = run.variant().spec().slo();
    RunFacts facts =
        new RunFacts(
            run.trace(),
            run.view(),
            result,
            new Slo(slo.ttftNanos(), slo.tokensPerSecondPerUser()));
    return new RunReport(
        run.variant().name(),
        run.variant().config().tree(),
        run.variant().config().digest(),
        TraceDescription.of(run.trace()).digest(),
        Metrics.summarise(facts));
  }
}
