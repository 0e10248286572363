package io.orrery.reports.sweep;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import io.orrery.scenarios.sweep.Factor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a sweep shows: the best trade-offs, what each factor does, and every point. */
public final class SweepReport {
  private static final int MOST_ROWS = 200;
  private static final int MOST_SERIES = 8;

  private final SweepResults results;
  private final List<SweepGroup> groups;
  private final List<Factor> factors;
  private final MainEffects effects;
  private final List<SweepMetric> metrics;
  private final List<SweepGroup> front;

  private SweepReport(SweepResults results) throws IOException {
    this.results = results;
    groups = SweepGroup.of(results);
    factors = results.sweep().factors();
    effects = new MainEffects(groups, factors);
    metrics = Stream.of(SweepMetric.values()).filter(this::isKnown).toList();
    List<SweepMetric> goals =
        Stream.of(SweepMetric.TTFT, SweepMetric.PER_GPU, SweepMetric.COST)
            .filter(this::isKnown)
            .toList();
    front =
        groups.stream()
            .filter(group -> Double.isFinite(group.get(SweepMetric.TTFT)))
            .filter(group -> group.isOnFront(groups, goals))
            .sorted(Comparator.comparingDouble(group -> group.get(SweepMetric.PER_GPU)))
            .toList();
  }

  private boolean isKnown(SweepMetric metric) {
    return groups.stream().anyMatch(group -> Double.isFinite(group.get(metric)));
  }

  /** The report. */
  public static Report of(SweepResults results) throws IOException {
    return new SweepReport(results).report();
  }

  /** The report in a few lines of text. */
  public static SweepText text(SweepResults results) throws IOException {
    SweepReport report = new SweepReport(results);
    return new SweepText(report.lead(), report.metrics, report.groups, report.front);
  }

  private Report report() throws IOException {
    List<Section> sections = new ArrayList<>();
    if (!groups.isEmpty()) {
      sections.add(frontSection());
    }
    if (!groups.isEmpty() && !SweepGroup.factors(factors).isEmpty()) {
      sections.add(effectsSection());
      sections.add(multiples());
    }
    sections.add(pointsSection());
    List<String> assumptions = new ArrayList<>();
    int finished = results.sweep().size() - results.failures().size();
    results
        .assumptions()
        .forEach(
            (text, points) ->
                assumptions.add(points == finished ? text : points + " points: " + text));
    return new Report(
        results.sweep().name(),
        setting(),
        lead(),
        List.of(),
        List.of(),
        best(),
        sections,
        assumptions,
        List.of(new Report.Fact("Orrery", results.version())));
  }

  private String setting() {
    String text =
        "A sweep of "
            + count(results.sweep().size(), "point")
            + " over "
            + String.join(", ", factors.stream().map(Factor::name).toList());
    return results.failures().isEmpty()
        ? text
        : text + "; " + count(results.failures().size(), "point") + " failed";
  }

  private static String count(long number, String thing) {
    return HumanUnits.count(number) + " " + thing + (number == 1 ? "" : "s");
  }

  private String lead() {
    List<SweepGroup> keeping = groups.stream().filter(SweepGroup::keepsSlo).toList();
    if (groups.isEmpty()) {
      return noneFinished();
    }
    if (keeping.isEmpty()) {
      SweepGroup nearest = best(groups, SweepMetric.TTFT);
      return "No point keeps the SLO at p95; the least TTFT p95, "
          + SweepMetric.TTFT.text(nearest.get(SweepMetric.TTFT))
          + ", is that of "
          + nearest.name()
          + ".";
    }
    SweepGroup best = best(keeping, SweepMetric.PER_GPU);
    return keeping.size()
        + " of "
        + groups.size()
        + " keep the SLO at p95; of these "
        + best.name()
        + " yields most, "
        + SweepMetric.PER_GPU.text(best.get(SweepMetric.PER_GPU))
        + " output tokens/s per GPU at a TTFT p95 of "
        + SweepMetric.TTFT.text(best.get(SweepMetric.TTFT))
        + ".";
  }

  private String noneFinished() {
    int first = results.failures().keySet().iterator().next();
    String reason = results.failures().getOrDefault(first, "");
    return results.failures().size() == 1
        ? "No point finished: " + reason + "."
        : "No point finished: all "
            + results.failures().size()
            + " failed, the first of them, "
            + results.sweep().point(first).name()
            + ", because of this: "
            + reason
            + ".";
  }

  /** The best of some groups, the first of equals. */
  private static SweepGroup best(List<SweepGroup> candidates, SweepMetric metric) {
    SweepGroup best = candidates.get(0);
    for (SweepGroup group : candidates) {
      boolean known = Double.isFinite(group.get(metric));
      boolean better = metric.compare(group.get(metric), best.get(metric)) > 0;
      if (better || (known && Double.isNaN(best.get(metric)))) {
        best = group;
      }
    }
    return best;
  }

  private Table best() {
    List<List<String>> rows = new ArrayList<>();
    List<SweepGroup> keeping = groups.stream().filter(SweepGroup::keepsSlo).toList();
    for (SweepMetric metric : metrics) {
      SweepGroup all = best(groups, metric);
      SweepGroup slo = keeping.isEmpty() ? null : best(keeping, metric);
      rows.add(
          List.of(
              metric.label(),
              all.name(),
              metric.text(all.get(metric)),
              slo == null ? "none keeps it" : slo.name(),
              slo == null ? "" : metric.text(slo.get(metric))));
    }
    return Table.of(
        "best",
        "Best points",
        List.of("best by", "of all", "its value", "of those within the SLO", "its value"),
        rows);
  }

  private Section frontSection() {
    List<Chart> charts = new ArrayList<>();
    charts.add(plane("front", "Pareto front", SweepMetric.PER_GPU));
    if (isKnown(SweepMetric.COST)) {
      charts.add(plane("front-cost", "Pareto front, by cost", SweepMetric.COST));
    }
    String lead =
        front.size()
            + " of "
            + groups.size()
            + " cannot be bettered in TTFT"
            + (isKnown(SweepMetric.COST)
                ? ", throughput per GPU and cost"
                : " and throughput per GPU")
            + " at once.";
    return new Section(
        "pareto",
        "Pareto front",
        lead,
        charts,
        List.of(table("front-points", "On the front", front)));
  }

  /** All points by TTFT and another number, told apart by what moves TTFT most. */
  private Chart plane(String id, String title, SweepMetric across) {
    List<PointChart.Series> series = new ArrayList<>();
    List<Integer> ranked = effects.ranked(SweepMetric.TTFT);
    String by = "";
    if (!ranked.isEmpty() && values(ranked.get(0)).size() <= MOST_SERIES) {
      int factor = ranked.get(0);
      by = ", told apart by " + factors.get(factor).name();
      for (String value : values(factor)) {
        series.add(
            new PointChart.Series(
                value.isEmpty() ? "as in the scenario" : factors.get(factor).name() + " " + value,
                points(group -> group.value(factor).equals(value), across)));
      }
    } else {
      series.add(new PointChart.Series("all points", points(group -> true, across)));
    }
    double slo = groups.isEmpty() ? Double.NaN : groups.get(0).sloTtftMillis();
    boolean one = groups.stream().allMatch(group -> group.sloTtftMillis() == slo);
    return new PointChart(
        id,
        title,
        SweepMetric.TTFT.label()
            + " over "
            + across.label()
            + by
            + "; a ring is around those that no other point beats in everything at once.",
        Axis.linear(across.label(), across.unit()),
        Axis.log(SweepMetric.TTFT.label(), SweepMetric.TTFT.unit()),
        series,
        one ? slo : Double.NaN,
        "promised",
        "on the front");
  }

  private List<PointChart.Point> points(Predicate<SweepGroup> which, SweepMetric across) {
    return groups.stream()
        .filter(which)
        .map(
            group ->
                new PointChart.Point(
                    group.name(),
                    group.get(across),
                    group.get(SweepMetric.TTFT),
                    front.contains(group)))
        .toList();
  }

  private Table table(String id, String title, List<SweepGroup> some) {
    List<String> header = new ArrayList<>(List.of("point"));
    metrics.forEach(metric -> header.add(metric.label()));
    header.add("within SLO");
    List<List<String>> rows = new ArrayList<>();
    for (SweepGroup group : some.subList(0, Math.min(some.size(), MOST_ROWS))) {
      List<String> row = new ArrayList<>(List.of(group.name()));
      metrics.forEach(metric -> row.add(metric.text(group.get(metric))));
      row.add(group.keepsSlo() ? "yes" : "no");
      rows.add(row);
    }
    return Table.of(id, title, header, rows);
  }

  private Section effectsSection() {
    List<Integer> ranked = effects.ranked(SweepMetric.TTFT);
    List<String> names = ranked.stream().map(factor -> factors.get(factor).name()).toList();
    List<Chart> charts = new ArrayList<>();
    for (SweepMetric metric : List.of(SweepMetric.TTFT, SweepMetric.PER_GPU)) {
      double[] sizes = ranked.stream().mapToDouble(f -> effects.size(f, metric)).toArray();
      charts.add(
          new BarChart(
              "effect-" + metric.name().toLowerCase(Locale.ROOT).replace('_', '-'),
              "What moves " + metric.label(),
              "For each factor, how far the means of its values lie apart, as a share of the mean"
                  + " over all points.",
              Axis.linear("range of means", Axis.Unit.SHARE),
              names,
              List.of(new BarChart.Part("range of means", sizes))));
    }
    List<String> header = new ArrayList<>(List.of("factor", "value", "points"));
    metrics.forEach(metric -> header.add(metric.label()));
    List<List<String>> rows = new ArrayList<>();
    for (int factor : ranked) {
      for (String value : values(factor)) {
        List<String> row = new ArrayList<>();
        row.add(factors.get(factor).name());
        row.add(value.isEmpty() ? "as in the scenario" : value);
        row.add(HumanUnits.count(effects.count(factor, value)));
        metrics.forEach(metric -> row.add(metric.text(effects.mean(factor, value, metric))));
        rows.add(row);
      }
    }
    String lead =
        "TTFT p95 moves most with "
            + names.get(0)
            + ". Means over all points that have a value; seeds count as one point.";
    return new Section(
        "effects", "Main effects", lead, charts, List.of(Table.of("means", "Means", header, rows)));
  }

  /** Values that groups have; empty text where a point does not set the factor. */
  private List<String> values(int factor) {
    List<String> values = new ArrayList<>(factors.get(factor).values());
    if (effects.count(factor, "") > 0) {
      values.add("");
    }
    return values.subList(0, Math.min(values.size(), MOST_ROWS));
  }

  private Section multiples() {
    return new SmallMultiples(groups, factors, effects, metrics).section();
  }

  private Section pointsSection() throws IOException {
    List<Table> tables = new ArrayList<>();
    tables.add(table("points", "Points", groups));
    List<List<String>> failed = new ArrayList<>();
    for (int index : results.failures().keySet()) {
      if (failed.size() < MOST_ROWS) {
        failed.add(
            List.of(
                results.sweep().point(index).name(), results.failures().getOrDefault(index, "")));
      }
    }
    if (!failed.isEmpty()) {
      tables.add(Table.of("failed", "Failed", List.of("point", "reason"), failed));
    }
    String lead =
        groups.size() > MOST_ROWS
            ? "The first " + MOST_ROWS + " of " + groups.size() + "; points.parquet has all."
            : "Means over the seeds where there are several.";
    return new Section("all", "All points", lead, List.of(), tables);
  }
}
