package io.orrery.reports.compare;

import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.Section;
import io.orrery.reports.figures.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Comparisons as a report. */
public final class ComparisonReport {
  private ComparisonReport() {}

  /** The report: a section a comparison. */
  public static Report of(List<Comparison> comparisons) {
    List<Section> sections = new ArrayList<>();
    List<List<String>> overview = new ArrayList<>();
    for (int i = 0; i < comparisons.size(); i++) {
      Comparison comparison = comparisons.get(i);
      sections.add(
          new Section(
              "comparison-" + i,
              comparison.after() + " against " + comparison.before(),
              comparison.verdict(),
              List.of(),
              List.of(table(i, comparison))));
      overview.add(
          List.of(
              comparison.after(),
              comparison.before(),
              Long.toString(comparison.count(Change.Verdict.WORSE)),
              Long.toString(comparison.count(Change.Verdict.BETTER)),
              Long.toString(comparison.count(Change.Verdict.NOISE))));
    }
    return new Report(
        "Comparison",
        comparisons.stream().map(Comparison::after).distinct().collect(Collectors.joining(", ")),
        comparisons.stream().map(Comparison::verdict).collect(Collectors.joining(" ")),
        List.of(),
        List.of(),
        Table.of(
            "overview",
            "At a glance",
            List.of("run", "against", "worse", "better", "within noise"),
            overview),
        sections,
        comparisons.stream().flatMap(c -> c.notes().stream()).distinct().toList(),
        List.of());
  }

  private static Table table(int number, Comparison comparison) {
    List<List<String>> rows = new ArrayList<>();
    for (Change change : comparison.changes()) {
      rows.add(
          List.of(
              change.key(),
              ComparisonText.number(change.before()),
              ComparisonText.number(change.after()),
              ComparisonText.relative(change),
              ComparisonText.interval(change),
              change.verdict().label()));
    }
    return Table.of(
        "changes-" + number,
        "Worst first",
        List.of("number", "before", "after", "change", "±95 %", "verdict"),
        rows);
  }
}
