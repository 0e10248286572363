package io.orrery.reports.sweep;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.figures.Section;
import io.orrery.scenarios.sweep.Factor;
import io.orrery.scenarios.text.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Small pictures side by side: a metric over a factor of numbers, a line for each value of a second
 * factor, a picture for each value of a third; all else is averaged over.
 */
final class SmallMultiples {
  private static final int MOST_LINES = 8;
  private static final int MOST_PANELS = 4;
  private static final List<SweepMetric> SHOWN =
      List.of(SweepMetric.TTFT, SweepMetric.PER_GPU, SweepMetric.HITS);

  private final List<SweepGroup> groups;
  private final List<Factor> factors;
  private final List<SweepMetric> metrics;
  private final int across;
  private final int lines;
  private final int panels;

  SmallMultiples(
      List<SweepGroup> groups,
      List<Factor> factors,
      MainEffects effects,
      List<SweepMetric> metrics) {
    this.groups = groups;
    this.factors = factors;
    this.metrics = metrics;
    List<Integer> ranked = new ArrayList<>(effects.ranked(SweepMetric.TTFT));
    across = ranked.stream().filter(this::isNumeric).findFirst().orElse(-1);
    ranked.remove((Integer) across);
    lines = ranked.stream().filter(factor -> size(factor) <= MOST_LINES).findFirst().orElse(-1);
    ranked.remove((Integer) lines);
    panels = ranked.stream().filter(factor -> size(factor) <= MOST_PANELS).findFirst().orElse(-1);
  }

  private int size(int factor) {
    return factors.get(factor).values().size();
  }

  private boolean isNumeric(int factor) {
    return factors.get(factor).values().stream()
        .allMatch(value -> Value.Decimal.parse(value).isPresent());
  }

  Section section() {
    List<Chart> charts = new ArrayList<>();
    if (across >= 0) {
      for (SweepMetric metric : SHOWN) {
        if (!metrics.contains(metric)) {
          continue;
        }
        if (panels < 0) {
          charts.add(chart(metric, ""));
        } else {
          factors.get(panels).values().forEach(value -> charts.add(chart(metric, value)));
        }
      }
    }
    String lead =
        across < 0
            ? "No factor has numbers for values, so there is nothing to draw over."
            : "Over " + factors.get(across).name() + byWhat() + ".";
    return new Section("multiples", "Side by side", lead, charts, List.of());
  }

  private String byWhat() {
    return (lines < 0 ? "" : ", a line for each " + factors.get(lines).name())
        + (panels < 0 ? "" : ", a picture for each " + factors.get(panels).name());
  }

  private Chart chart(SweepMetric metric, String panel) {
    List<LineChart.Line> drawn = new ArrayList<>();
    List<String> names = lines < 0 ? List.of("") : factors.get(lines).values();
    for (String name : names) {
      drawn.add(line(metric, panel, name));
    }
    String id =
        "side-"
            + metric.name().toLowerCase(Locale.ROOT).replace('_', '-')
            + (panel.isEmpty() ? "" : "-" + factors.get(panels).values().indexOf(panel));
    String title =
        metric.label() + (panel.isEmpty() ? "" : ", " + factors.get(panels).name() + " " + panel);
    Axis values =
        metric.unit() == Axis.Unit.MILLIS
            ? Axis.log(metric.label(), metric.unit())
            : Axis.linear(metric.label(), metric.unit());
    return new LineChart(
        id,
        title,
        title + " over " + factors.get(across).name() + ".",
        Axis.linear(factors.get(across).name(), Axis.Unit.COUNT),
        values,
        drawn,
        false,
        Double.NaN,
        "");
  }

  private LineChart.Line line(SweepMetric metric, String panel, String name) {
    double[] x =
        factors.get(across).values().stream().mapToDouble(Double::parseDouble).sorted().toArray();
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      double at = x[i];
      y[i] =
          groups.stream()
              .filter(group -> !group.value(across).isEmpty())
              .filter(group -> Double.parseDouble(group.value(across)) == at)
              .filter(group -> lines < 0 || group.value(lines).equals(name))
              .filter(group -> panel.isEmpty() || group.value(panels).equals(panel))
              .mapToDouble(group -> group.get(metric))
              .filter(Double::isFinite)
              .average()
              .orElse(Double.NaN);
    }
    return new LineChart.Line(name.isEmpty() ? metric.label() : name, x, y);
  }
}
