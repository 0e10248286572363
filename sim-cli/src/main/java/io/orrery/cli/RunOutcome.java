package io.orrery.cli;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.reports.Rejections;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.console.Sparklines;
import io.orrery.reports.figures.Approximations;
import io.orrery.reports.figures.RunFigures;
import io.orrery.reports.summary.Drain;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.Summary;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.LoadedProfile;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.experiment.StepTimeSources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a run.
 *
 * @param drain the end of the run
 * @param ttftMillis mean times to first token over the run's time
 * @param figures what its report shows; null if there will be none
 */
record RunOutcome(
    ScenarioRun run,
    Summary summary,
    List<Rejections.Group> rejections,
    Timing.Replay replay,
    Drain drain,
    @Nullable RunFigures figures,
    double[] ttftMillis) {

  /**
   * What is kept of a run that has been simulated.
   *
   * @param nanos that it took
   * @param threads how many may work on it
   * @param keep whether there will be a report
   */
  static RunOutcome of(ScenarioRun run, RunResult result, long nanos, int threads, boolean keep) {
    RunFacts facts = RunFacts.of(run, result, keep ? RunFigures.STRETCHES : 0);
    Summary summary = Metrics.summarise(facts, threads);
    String name = run.variant().name();
    long requests = (long) summary.get("requests.dispatched", 0);
    return new RunOutcome(
        run,
        summary,
        Rejections.of(result),
        new Timing.Replay(name, nanos, requests),
        Drain.of(run.trace(), result),
        keep ? RunFigures.of(name, facts, summary) : null,
        ttftMillis(result));
  }

  /** Mean times to first token of what was sent in each stretch of the run's time. */
  private static double[] ttftMillis(RunResult result) {
    RunColumns columns = result.columns();
    double[] sums = new double[Sparklines.STRETCHES];
    int[] counts = new int[Sparklines.STRETCHES];
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row) && columns.firstTokenNanos(row) != RunColumns.NO_TIME) {
        double share = (double) columns.arrivalNanos(row) / Math.max(1, result.endNanos());
        int stretch = (int) Math.min(sums.length - 1, share * sums.length);
        sums[stretch] += (columns.firstTokenNanos(row) - columns.arrivalNanos(row)) / 1e6;
        counts[stretch]++;
      }
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return sums;
  }

  /** Why requests were refused, a sentence each. */
  static List<String> rejections(List<RunOutcome> outcomes) {
    List<String> lines = new ArrayList<>();
    for (RunOutcome outcome : outcomes) {
      String of = outcomes.size() == 1 ? "" : " by " + outcome.run().variant().name();
      for (Rejections.Group group : outcome.rejections()) {
        lines.add("Rejected" + of + ": " + group.text() + ".");
      }
    }
    return lines;
  }

  /** What could not be told of runs, and why, a sentence each. */
  static List<String> absences(List<RunOutcome> outcomes) {
    List<String> lines = new ArrayList<>();
    for (RunOutcome outcome : outcomes) {
      String of = outcomes.size() == 1 ? "" : " of " + outcome.run().variant().name();
      Approximations.absence(of, outcome.summary()).ifPresent(lines::add);
    }
    return lines;
  }

  /** All runs' numbers. */
  static RunDocument document(Experiment experiment, List<RunOutcome> outcomes) {
    Map<String, TraceDescription> traces = new LinkedHashMap<>();
    List<RunReport> reports = new ArrayList<>();
    for (RunOutcome outcome : outcomes) {
      ScenarioRun run = outcome.run();
      TraceDescription trace = TraceDescription.of(run.trace());
      traces.putIfAbsent(trace.digest(), trace);
      reports.add(
          new RunReport(
              run.variant().name(),
              run.variant().config().tree(),
              run.variant().config().digest(),
              trace.digest(),
              sources(run.sources()),
              outcome.summary(),
              outcome.rejections()));
    }
    return new RunDocument(
        Version.current(),
        experiment.name(),
        experiment.assumptions(),
        new ArrayList<>(traces.values()),
        reports);
  }

  private static Map<String, Map<String, String>> sources(StepTimeSources sources) {
    Map<String, Map<String, String>> named = new LinkedHashMap<>();
    LoadedProfile profile = sources.profile();
    if (profile != null) {
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("name", profile.name());
      facts.put("sha256", profile.sha256());
      named.put(RunReport.PROFILE, facts);
    }
    if (!sources.tables().isEmpty()) {
      named.put(RunReport.TABLES, sources.tables());
    }
    if (!sources.models().isEmpty()) {
      named.put(RunReport.MODELS, sources.models());
    }
    return named;
  }

  /** How times to first token went: of every variant, the run of the first seed. */
  static List<Sparklines.Level> ttftOverTime(List<RunOutcome> outcomes) {
    Map<String, Sparklines.Level> levels = new LinkedHashMap<>();
    for (RunOutcome outcome : outcomes) {
      String name = outcome.run().variant().name();
      levels.putIfAbsent(name, new Sparklines.Level(name, outcome.ttftMillis()));
    }
    return List.copyOf(levels.values());
  }

  /** What reports show: of every variant, the run of the first seed. */
  static List<RunFigures> figures(List<RunOutcome> outcomes) {
    List<RunFigures> figures = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (RunOutcome outcome : outcomes) {
      if (outcome.figures() != null && names.add(outcome.run().variant().name())) {
        figures.add(outcome.figures());
      }
    }
    return figures;
  }
}
