package io.orrery.reports.figures;

import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.SeedMeans;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.console.LeadSentence;
import java.util.ArrayList;
import java.util.List;

/** Makes the report of an experiment. */
public final class ReportBuilder {
  private ReportBuilder() {}

  /**
   * The report.
   *
   * @param document the experiment's numbers
   * @param setting what was simulated, in a sentence
   * @param runs what was looked at in each run, in the order of the document
   * @param memory memory of a GPU by precision; may be empty
   * @param decisions of the router, as far as they were recorded
   */
  public static Report of(
      RunDocument document,
      String setting,
      List<RunFigures> runs,
      List<MemoryBar> memory,
      RecordedDecisions decisions) {
    List<RunReport> means = SeedMeans.of(document.runs());
    RunReport choice = new Choice(means).chosen();
    RunFigures chosen = runs.get(choice == null ? 0 : means.indexOf(choice));
    List<Section> sections =
        List.of(
            new VariantsSection(means).section(),
            new TtftSection(runs).section(),
            new HitRateSection(runs).section(),
            new ConcurrencySection(runs, chosen).section(),
            new HeadroomSection(runs, memory).section(),
            new GpuTimeSection(runs).section(),
            new SlowSection(runs, chosen, decisions).section(),
            Words.section());
    return new Report(
        document.name(),
        setting,
        LeadSentence.of(means),
        Conclusions.of(runs, means, document.runs()),
        runs.stream().map(RunFigures::name).toList(),
        overview(runs),
        sections,
        assumptions(document, means),
        provenance(document));
  }

  /** How the load comes is what a reader from outside asks first. */
  private static List<String> assumptions(RunDocument document, List<RunReport> means) {
    List<String> assumptions = new ArrayList<>(LoadWords.of(means));
    assumptions.addAll(document.assumptions());
    assumptions.addAll(Approximations.of(means));
    return assumptions;
  }

  private static Table overview(List<RunFigures> runs) {
    List<Descriptions.Line> lines = new ArrayList<>();
    lines.add(Descriptions.millis("TTFT p50", "ttft_ms.p50"));
    lines.add(Descriptions.millis("TTFT p95", "ttft_ms.p95"));
    lines.add(Descriptions.millis("time per output token p50", "tpot_ms.p50"));
    lines.add(Descriptions.percent("input tokens reused", "hit_rate.tokens"));
    lines.addAll(Descriptions.bound("no cache reuses more than", runs));
    lines.addAll(
        List.of(
            Descriptions.amount("requests/s within SLO", "goodput_rps"),
            Descriptions.amount("output tokens/s per GPU", "output_tokens_per_s_per_gpu"),
            Descriptions.percent("KV blocks in use by requests, p99", "headroom.used_fraction.p99")
                .unjudged(),
            Descriptions.seconds("session time, mean", "session_completion_s.mean"),
            Descriptions.count("requests completed", "requests.completed"),
            Descriptions.count("requests rejected", "requests.rejected"),
            Descriptions.count("requests unfinished", "requests.unfinished")));
    return Descriptions.marked(
        Descriptions.table("overview", "At a glance", runs, lines), runs, lines);
  }

  private static List<Report.Fact> provenance(RunDocument document) {
    List<Report.Fact> facts = new ArrayList<>();
    facts.add(new Report.Fact("Orrery", document.version()));
    for (TraceDescription trace : document.traces()) {
      facts.add(new Report.Fact("trace", trace.digest()));
      facts.add(new Report.Fact("trace format", String.valueOf(trace.tree().get("format"))));
      facts.add(new Report.Fact("turns are sent", String.valueOf(trace.tree().get("turns"))));
    }
    for (RunReport run : document.runs()) {
      facts.add(new Report.Fact("configuration of " + run.name(), run.digest()));
      if (!run.stepTimeDigests().isEmpty()) {
        facts.add(
            new Report.Fact(
                "step times of " + run.name(),
                String.join(" and ", run.stepTimes().keySet())
                    + " "
                    + String.join(", ", run.stepTimeDigests())));
      }
      facts.add(new Report.Fact("seed of " + run.name(), String.valueOf(run.config().get("seed"))));
    }
    return facts;
  }
}
