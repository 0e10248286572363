package io.orrery.reports.figures;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.Runs;
import io.orrery.reports.summary.Slo;
import io.orrery.reports.summary.Summary;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The report of {@link Runs#twoSessionsTrace}, for two variants that are the same run. */
public final class SampleReport {
  private SampleReport() {}

  public static RunFigures figures(String name) {
    return figures(name, Runs.twoSessionsTrace());
  }

  public static RunFigures figures(String name, Trace trace) {
    return figures(name, trace, new Slo(50_000_000, 50));
  }

  static RunFigures figures(String name, Trace trace, Slo slo) {
    RunResult result = Runs.twoSessions(trace);
    RunFacts facts =
        new RunFacts(
            trace,
            BlockView.of(trace, 4),
            result,
            slo,
            RunFigures.STRETCHES,
            Runs.twoSessionsCluster());
    return RunFigures.of(name, facts, Metrics.summarise(facts));
  }

  /** A report whose every name from outside is {@code name}. */
  public static Report of(String name, Trace trace) {
    List<RunFigures> runs = List.of(figures(name, trace), figures("other", trace));
    List<RunReport> reports = new ArrayList<>();
    for (RunFigures run : runs) {
      Summary summary = run.summary();
      reports.add(
          new RunReport(
              run.name(), Map.of("seed", 1L), "c0ffee", "trace", Map.of(), summary, List.of()));
    }
    RunDocument document =
        new RunDocument("0.1.0", name, List.of(name), List.of(TraceDescription.of(trace)), reports);
    return ReportBuilder.of(
        document,
        name,
        runs,
        List.of(new MemoryBar("bf16, KV bf16", 10, 2, 1, 30, 4000)),
        new RecordedDecisions());
  }

  public static Report of(String name) {
    return of(name, Runs.twoSessionsTrace());
  }
}
