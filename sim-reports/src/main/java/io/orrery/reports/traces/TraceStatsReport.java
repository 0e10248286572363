package io.orrery.reports.traces;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceProvenance;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.Marginals;
import io.orrery.traces.analysis.TraceAnalysis;
import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is said about a trace, as a report of tables and pictures. */
public final class TraceStatsReport {
  /** Points of a distribution function. */
  private static final int POINTS = 100;

  private final TraceAnalysis analysis;
  private final String version;

  private TraceStatsReport(TraceAnalysis analysis, String version) {
    this.analysis = analysis;
    this.version = version;
  }

  /**
   * The report.
   *
   * @param version of the program
   */
  public static Report of(TraceAnalysis analysis, String version) {
    return new TraceStatsReport(analysis, version).report();
  }

  private Report report() {
    Trace trace = analysis.trace();
    TraceSummary summary = TraceSummary.of(analysis);
    List<Section> sections = new ArrayList<>();
    sections.add(lengths());
    sections.add(times());
    BlockReuse reuse = analysis.reuse();
    if (reuse != null) {
      sections.add(reuse(reuse));
      sections.add(routing(reuse));
    }
    List<String> assumptions = new ArrayList<>(trace.provenance().notes());
    trace
        .provenance()
        .counters()
        .forEach((what, times) -> assumptions.add(what + ": " + HumanUnits.count(times) + "."));
    return new Report(
        trace.provenance().files().isEmpty() ? "Trace" : trace.provenance().files().get(0).name(),
        TraceSentences.what(summary),
        TraceSentences.reuse(summary),
        List.of(),
        List.of("trace"),
        overview(),
        sections,
        assumptions,
        provenance());
  }

  private Table overview() {
    List<List<String>> rows = new ArrayList<>();
    for (TraceNumbers.Row row : TraceNumbers.rows(analysis)) {
      Distribution d = row.numbers();
      rows.add(
          List.of(
              row.label(),
              HumanUnits.count(d.count()),
              Figures.text(d.mean(), row.unit()),
              Figures.text(d.p10(), row.unit()),
              Figures.text(d.p50(), row.unit()),
              Figures.text(d.p90(), row.unit()),
              Figures.text(d.p99(), row.unit()),
              Figures.text(d.max(), row.unit())));
    }
    return Table.of(
        "overview",
        "At a glance",
        List.of("", "count", "mean", "p10", "p50", "p90", "p99", "max"),
        rows);
  }

  private Section lengths() {
    Marginals samples = analysis.marginals();
    List<LineChart.Line> lines = new ArrayList<>();
    line(lines, "input", samples.inputTokens(), 1);
    line(lines, "output", samples.outputTokens(), 1);
    line(lines, "resent", samples.resent(), 1);
    return new Section(
        "lengths",
        "Lengths",
        "Half of the prompts have at least "
            + HumanUnits.amount(Distribution.of(samples.inputTokens()).p50())
            + " tokens, half of the outputs at least "
            + HumanUnits.amount(Distribution.of(samples.outputTokens()).p50())
            + ".",
        List.of(cumulative("lengths-cdf", "Tokens of requests", "tokens", Axis.Unit.TOKENS, lines)),
        List.of());
  }

  private Section times() {
    Marginals samples = analysis.marginals();
    List<LineChart.Line> lines = new ArrayList<>();
    line(lines, "between sessions", samples.gaps(), 1e9);
    line(lines, "wait for a tool", samples.toolWaits(), 1e9);
    line(lines, "any other wait", samples.otherWaits(), 1e9);
    List<Chart> charts =
        lines.isEmpty()
            ? List.of()
            : List.of(
                cumulative("waits-cdf", "Waits and arrivals", "time", Axis.Unit.SECONDS, lines));
    return new Section(
        "times",
        "Times",
        lines.isEmpty()
            ? "There is one session, of one request."
            : "How long sessions wait between turns, and how far apart they begin.",
        charts,
        List.of());
  }

  private Section reuse(BlockReuse reuse) {
    int points = BlockReuse.WINDOWS.size();
    double[] seconds = new double[points];
    for (int i = 0; i < points; i++) {
      seconds[i] = BlockReuse.WINDOWS.get(i).toSeconds();
    }
    List<Chart> charts = new ArrayList<>();
    charts.add(
        new LineChart(
            "hits-by-time",
            "Input found in a cache of any size",
            "Share of "
                + input()
                + " that a cache still holds if it forgets a block so long after"
                + " its last use.",
            Axis.log("kept after the last use", Axis.Unit.SECONDS),
            Axis.linear("share of " + input(), Axis.Unit.SHARE),
            List.of(new LineChart.Line("trace", seconds, Arrays.copyOf(reuse.hitShares(), points))),
            false,
            reuse.hitShares()[points],
            "never forgets"));
    if (reuse.workingSetTokens().length > 0) {
      charts.add(
          new LineChart(
              "working-set",
              "Working set",
              "Tokens of the distinct blocks that were used within such a time, mean over the"
                  + " trace.",
              Axis.log("window", Axis.Unit.SECONDS),
              Axis.linear("tokens", Axis.Unit.TOKENS),
              List.of(new LineChart.Line("trace", seconds, reuse.workingSetTokens())),
              false,
              Double.NaN,
              ""));
    }
    return new Section(
        "reuse",
        "Reuse",
        "A cache that forgets after 5 min finds "
            + HumanUnits.percent(reuse.hitShares()[3])
            + " of the "
            + (allIsKnown() ? "input" : "known input")
            + ", one that never does "
            + HumanUnits.percent(reuse.hitShares()[points])
            + ".",
        charts,
        List.of());
  }

  private boolean allIsKnown() {
    return analysis.counts().unidentifiedTokens() == 0;
  }

  private String input() {
    return allIsKnown() ? "input tokens" : "known input tokens";
  }

  private Section routing(BlockReuse reuse) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < BlockReuse.WORKERS.size(); i++) {
      rows.add(
          List.of(
              BlockReuse.WORKERS.get(i).toString(),
              HumanUnits.percent(reuse.placed()[i]),
              HumanUnits.percent(reuse.acrossSessions()),
              HumanUnits.percent(reuse.upside(i)),
              HumanUnits.percent(reuse.choice()[i])));
    }
    return new Section(
        "routing",
        "What routing can change",
        "On 8 workers whose caches never forget, the best placement finds "
            + HumanUnits.percent(reuse.upside(BlockReuse.WORKERS.indexOf(8)))
            + " of the "
            + (allIsKnown() ? "input" : "known input")
            + " beyond what requests find that go anywhere.",
        List.of(),
        List.of(
            Table.of(
                "routing-by-workers",
                "Input found",
                List.of(
                    "workers",
                    "at random",
                    "at best",
                    "routing can add",
                    "requests that gain a tenth"),
                rows)));
  }

  private List<Report.Fact> provenance() {
    TraceProvenance is = analysis.trace().provenance();
    List<Report.Fact> facts = new ArrayList<>();
    facts.add(new Report.Fact("Orrery", version));
    facts.add(new Report.Fact("format", is.format()));
    boolean blocks = analysis.trace().blocksKnown();
    facts.add(new Report.Fact("block size", blocks ? Integer.toString(is.blockSize()) : "none"));
    facts.add(new Report.Fact("time unit", is.timeUnit()));
    facts.add(new Report.Fact("partial blocks", is.partialBlockRule()));
    facts.add(new Report.Fact("time basis", is.timeBasis()));
    facts.add(new Report.Fact("turns", is.turnSemantics()));
    for (TraceProvenance.SourceFile file : is.files()) {
      facts.add(new Report.Fact(file.name(), "SHA-256 " + file.sha256()));
    }
    return facts;
  }

  private static void line(
      List<LineChart.Line> lines, String name, LongColumn values, double unit) {
    if (values.size() == 0) {
      return;
    }
    LongColumn sorted = StableOrder.sorted(values);
    double[] x = new double[POINTS];
    double[] y = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      y[i] = (i + 1.0) / POINTS;
      int rank = (int) Math.ceil(y[i] * sorted.size() - 1e-9);
      x[i] = sorted.get(Math.max(1, rank) - 1) / unit;
    }
    lines.add(new LineChart.Line(name, x, y));
  }

  private static Chart cumulative(
      String id, String title, String label, Axis.Unit unit, List<LineChart.Line> lines) {
    return new LineChart(
        id,
        title,
        "Share of all that have at most so much.",
        Axis.log(label, unit),
        Axis.linear("share", Axis.Unit.SHARE),
        lines,
        false,
        Double.NaN,
        "");
  }
}
