package io.orrery.reports.plan;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import io.orrery.scenarios.plan.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** A plan's answer as a report: the curves that were sampled, and every trial. */
public final class PlanReport {
  private final PlanResult result;
  private final Plan plan;
  private final PlanWords words;
  private final String things;

  private PlanReport(PlanResult result) {
    this.result = result;
    this.plan = result.plan();
    this.words = new PlanWords(result);
    this.things = plan.find().ofWorkers() ? "workers" : "sessions at once";
  }

  /** The report. */
  public static Report of(PlanResult result, String version) {
    return new PlanReport(result).report(version);
  }

  private Report report(String version) {
    List<String> names = result.candidates().stream().map(CandidateResult::name).toList();
    Set<String> assumptions = new LinkedHashSet<>();
    for (CandidateResult candidate : result.candidates()) {
      candidate.trials().forEach(trial -> assumptions.addAll(trial.result().assumptions()));
    }
    return new Report(
        plan.scenario().name(),
        "A plan: " + PlanWords.slo(plan.slo()) + ", " + PlanWords.count(names.size(), "candidate"),
        words.answer(),
        List.of(),
        names,
        overview(),
        List.of(curves(), why(), trials()),
        new ArrayList<>(assumptions),
        List.of(
            new Report.Fact("Orrery", version),
            new Report.Fact("seeds", plan.seeds().toString()),
            new Report.Fact(
                "error of step times", result.error().map(e -> e.source()).orElse("not known"))));
  }

  private Table overview() {
    List<List<String>> rows = new ArrayList<>();
    for (CandidateResult candidate : result.candidates()) {
      rows.add(
          List.of(
              candidate.name(),
              candidate.holds() ? HumanUnits.count(candidate.answer().getAsLong()) : "none",
              words.value(candidate),
              words.value(candidate.slower()),
              words.value(candidate.faster()),
              candidate.failure().isEmpty()
                  ? candidate.beyond() == null
                      ? "not reached"
                      : PlanWords.bottleneck(candidate).part()
                  : "failed: " + candidate.failure()));
    }
    return Table.of(
        "candidates",
        "Candidates",
        List.of(
            "candidate",
            things,
            PlanText.heading(plan.find()),
            "step times longer",
            "shorter",
            "gives way first"),
        rows);
  }

  private Section curves() {
    List<Chart> charts = new ArrayList<>();
    charts.add(
        curve(
            "curve-ttft",
            "TTFT p95",
            Axis.log("TTFT p95", Axis.Unit.MILLIS),
            trial -> trial.result().summary().get("ttft_ms.p95", Double.NaN),
            plan.slo().ttftP95Millis()));
    charts.add(
        curve(
            "curve-speed",
            "Output tokens/s that 19 of 20 requests get",
            Axis.linear("tokens/s", Axis.Unit.COUNT),
            trial -> 1000 / trial.result().summary().get("tpot_ms.p95", Double.NaN),
            plan.slo().tokensPerSecond()));
    return new Section(
        "curves",
        "Sampled curves",
        "Every size that was tried under the first seed.",
        charts,
        List.of());
  }

  private Chart curve(
      String id, String title, Axis axis, ToDoubleFunction<Trial> value, double limit) {
    List<PointChart.Series> series = new ArrayList<>();
    for (CandidateResult candidate : result.candidates()) {
      List<PointChart.Point> points =
          candidate.trials().stream()
              .filter(t -> t.factor() == 1 && t.seed() == plan.seeds().get(0))
              .sorted(Comparator.comparingLong(Trial::size))
              .map(
                  t ->
                      new PointChart.Point(
                          candidate.name(),
                          t.size(),
                          value.applyAsDouble(t),
                          candidate.holds() && t.size() == candidate.answer().getAsLong()))
              .toList();
      series.add(new PointChart.Series(candidate.name(), points));
    }
    return new PointChart(
        id,
        title,
        title
            + " over "
            + things
            + ", a point for each size that was tried, and what was promised.",
        Axis.linear(things, Axis.Unit.COUNT),
        axis,
        series,
        limit,
        "promised",
        "the answer");
  }

  private Section why() {
    List<List<String>> rows = new ArrayList<>();
    for (CandidateResult candidate : result.candidates()) {
      if (candidate.beyond() != null) {
        Bottleneck bottleneck = PlanWords.bottleneck(candidate);
        rows.add(
            List.of(
                candidate.name(),
                HumanUnits.count(candidate.beyond().size()),
                candidate.beyond().check().worst().text(),
                bottleneck.part(),
                bottleneck.evidence()));
      }
    }
    return new Section(
        "why",
        "What gives way, and how sure that is",
        String.join(" ", words.details()),
        List.of(),
        List.of(
            Table.of(
                "beyond",
                "Just beyond the boundary",
                List.of("candidate", things, "broken", "gives way", "evidence"),
                rows)));
  }

  private Section trials() {
    List<List<String>> rows = new ArrayList<>();
    for (CandidateResult candidate : result.candidates()) {
      for (Trial trial : candidate.trials()) {
        List<String> parts = trial.check().parts().stream().map(SloCheck.Part::text).toList();
        rows.add(
            List.of(
                candidate.name(),
                HumanUnits.count(trial.size()),
                Long.toString(trial.seed()),
                "× " + PlanWords.amount(trial.factor()),
                trial.holds() ? "yes" : "no",
                String.join(", ", parts)));
      }
    }
    return new Section(
        "trials",
        "Trials",
        PlanWords.count(rows.size(), "trial") + ".",
        List.of(),
        List.of(
            Table.of(
                "all-trials",
                "All trials",
                List.of("candidate", things, "seed", "step times", "holds", "numbers"),
                rows)));
  }
}
