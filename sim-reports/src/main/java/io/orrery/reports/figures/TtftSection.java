package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What users wait for the first token, and what that time consists of. */
final class TtftSection {
  private final List<RunFigures> runs;

  TtftSection(List<RunFigures> runs) {
    this.runs = runs;
  }

  Section section() {
    return new Section(
        "ttft",
        "Time to first token",
        lead(),
        List.of(
            cdf(),
            waterfall(),
            parts(
                "ttft-parts-by-turn",
                "What the mean TTFT consists of, by turn of the session",
                "turn ",
                SizeClasses.turns(),
                Waterfall::ofTurns,
                ""),
            parts(
                "ttft-parts-by-input",
                "What the mean TTFT consists of, by input length",
                "",
                SizeClasses.inputTokens(),
                Waterfall::ofInputs,
                firstTurns()),
            boxes(
                "ttft-by-turn",
                "TTFT by turn of the session",
                "turn",
                SizeClasses.turns(),
                runs.stream().map(run -> group(run, run.ttftByTurn())).toList()),
            boxes(
                "ttft-by-input",
                "TTFT by input length",
                "input tokens",
                SizeClasses.inputTokens(),
                runs.stream().map(run -> group(run, run.ttftByInput())).toList())),
        List.of(quantiles()));
  }

  private static BoxChart.Group group(RunFigures run, List<BoxChart.@Nullable Box> boxes) {
    return new BoxChart.Group(run.name(), boxes);
  }

  private String lead() {
    RunFigures best = byP95().get(0);
    double[] parts = best.waterfall().slowest();
    int largest = 0;
    double total = 0;
    for (int i = 0; i < parts.length; i++) {
      total += parts[i];
      largest = parts[i] > parts[largest] ? i : largest;
    }
    if (!(total > 0)) {
      return "No request got a first token.";
    }
    String whose = runs.size() == 1 ? "" : "Under " + best.name() + ", the lowest at p95, ";
    return whose
        + (runs.size() == 1 ? "Half" : "half")
        + " of the requests get their first token within "
        + HumanUnits.millis(best.summary().get("ttft_ms.p50", 0))
        + " and 95 % within "
        + HumanUnits.millis(best.summary().get("ttft_ms.p95", 0))
        + "; of the slowest twentieth's time, "
        + HumanUnits.percent(parts[largest] / total)
        + " is spent "
        + Waterfall.IN_WORDS.get(largest)
        + ".";
  }

  private List<RunFigures> byP95() {
    return Descriptions.quickestFirst(runs);
  }

  private Chart cdf() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      RunFigures.Cdf cdf = run.ttftMillis();
      lines.add(new LineChart.Line(run.name(), cdf.values(), cdf.shares()));
    }
    return new LineChart(
        "ttft-cdf",
        "TTFT: share of requests that have their first token within a time",
        Descriptions.quantiles(
            "TTFT at the median and at p95", runs, "ttft_ms", HumanUnits::millis),
        Axis.log("TTFT", Axis.Unit.MILLIS),
        Axis.linear("requests", Axis.Unit.SHARE),
        lines,
        false,
        Double.NaN,
        "");
  }

  private Chart waterfall() {
    List<String> bars = new ArrayList<>();
    double[][] values = new double[Waterfall.PARTS.size()][2 * runs.size()];
    for (int r = 0; r < runs.size(); r++) {
      put(values, 2 * r, runs.get(r).waterfall().all());
      put(values, 2 * r + 1, runs.get(r).waterfall().slowest());
      bars.add(runs.get(r).name() + ", all");
      bars.add(runs.get(r).name() + ", slowest 5 %");
    }
    return new BarChart(
        "ttft-waterfall",
        "What the mean TTFT consists of",
        "Mean time in admission, at the router, in the host (what the engine does before a request is"
            + " in its queue, a few hundredths of a second), in the worker's queue and in prefill steps,"
            + " for all requests and for the slowest twentieth; parts without any are left out.",
        Axis.linear("mean time", Axis.Unit.MILLIS),
        bars,
        parts(values));
  }

  private static List<BarChart.Part> parts(double[][] values) {
    List<BarChart.Part> parts = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      // What took no time under any variant would only make the legend longer.
      if (Arrays.stream(values[i]).anyMatch(value -> value > 0)) {
        parts.add(new BarChart.Part(Waterfall.PARTS.get(i), values[i]));
      }
    }
    return parts;
  }

  /** The parts of TTFT over requests of one class. */
  private interface OfClass {
    double[] means(Waterfall waterfall, SizeClasses classes, int at);
  }

  /** A bar for each class that has requests, of the quickest variant and of the slowest. */
  private Chart parts(
      String id, String title, String prefix, SizeClasses classes, OfClass of, String remark) {
    List<RunFigures> sorted = byP95();
    List<RunFigures> shown =
        sorted.size() == 1 ? sorted : List.of(sorted.get(0), sorted.get(sorted.size() - 1));
    List<String> bars = new ArrayList<>();
    List<double[]> means = new ArrayList<>();
    for (int at = 0; at < classes.count(); at++) {
      for (RunFigures run : shown) {
        double[] parts = of.means(run.waterfall(), classes, at);
        if (!Double.isNaN(parts[0])) {
          bars.add(
              prefix + classes.labels().get(at) + (shown.size() == 1 ? "" : ", " + run.name()));
          means.add(parts);
        }
      }
    }
    double[][] values = new double[Waterfall.PARTS.size()][bars.size()];
    for (int bar = 0; bar < bars.size(); bar++) {
      for (int part = 0; part < values.length; part++) {
        values[part][bar] = means.get(bar)[part];
      }
    }
    return new BarChart(
        id,
        title,
        "Mean time from sending to first token"
            + (runs.size() == 1
                ? "."
                : ", under the variants with the lowest and the highest TTFT at p95 alone.")
            + remark,
        Axis.linear("mean time", Axis.Unit.MILLIS),
        bars,
        parts(values));
  }

  /** Short inputs may wait longer than long ones, since first turns are short. */
  private String firstTurns() {
    Waterfall waterfall = byP95().get(0).waterfall();
    SizeClasses classes = SizeClasses.inputTokens();
    List<String> shares = new ArrayList<>();
    for (int at = 0; at < classes.count(); at++) {
      Waterfall.Kind kind = waterfall.kindOfInputs(classes, at);
      if (!Double.isNaN(kind.firstTurns())) {
        shares.add(classes.labels().get(at) + " " + HumanUnits.percent(kind.firstTurns()));
      }
    }
    return shares.isEmpty()
        ? ""
        : " First turns of a session, which find least in a cache, are so large a share of the"
            + " requests of each length: "
            + String.join(", ", shares)
            + ".";
  }

  private static void put(double[][] values, int bar, double[] parts) {
    for (int i = 0; i < parts.length; i++) {
      values[i][bar] = parts[i];
    }
  }

  private static Chart boxes(
      String id, String title, String category, SizeClasses classes, List<BoxChart.Group> all) {
    boolean none = all.stream().allMatch(group -> group.boxes().stream().allMatch(Objects::isNull));
    // Classes that no request is in would only make room for nothing.
    List<Integer> classesInUse =
        IntStream.range(0, classes.count())
            .filter(at -> none || all.stream().anyMatch(group -> group.boxes().get(at) != null))
            .boxed()
            .toList();
    List<BoxChart.Group> groups = new ArrayList<>();
    for (BoxChart.Group group : all) {
      List<BoxChart.@Nullable Box> boxes = new ArrayList<>();
      classesInUse.forEach(at -> boxes.add(group.boxes().get(at)));
      groups.add(new BoxChart.Group(group.name(), boxes));
    }
    return new BoxChart(
        id,
        title,
        "Boxes hold the middle half of the requests, whiskers reach from p5 to p95. Requests: "
            + groups.stream().map(TtftSection::counted).collect(Collectors.joining(", "))
            + ".",
        category,
        Axis.log("TTFT", Axis.Unit.MILLIS),
        classesInUse.stream().map(classes.labels()::get).toList(),
        groups);
  }

  private static String counted(BoxChart.Group group) {
    long count = 0;
    for (BoxChart.Box box : group.boxes()) {
      count += box == null ? 0 : box.count();
    }
    return group.name() + " (n " + HumanUnits.count(count) + ")";
  }

  private Table quantiles() {
    return Descriptions.table(
        "ttft-quantiles",
        "TTFT and token gaps",
        runs,
        List.of(
            Descriptions.millis("TTFT p50", "ttft_ms.p50"),
            Descriptions.millis("TTFT p90", "ttft_ms.p90"),
            Descriptions.millis("TTFT p95", "ttft_ms.p95"),
            Descriptions.millis("TTFT p99", "ttft_ms.p99"),
            Descriptions.millis("TTFT max", "ttft_ms.max"),
            Descriptions.millis("queue wait p95", "queue_wait_ms.p95"),
            Descriptions.millis("gap between two tokens, of all gaps, p50", "itl_ms.p50"),
            Descriptions.millis("gap between two tokens, of all gaps, p99", "itl_ms.p99"),
            Descriptions.millis("time per output token (a request's mean gap), p50", "tpot_ms.p50"),
            Descriptions.millis("request, end to end, p95", "e2e_ms.p95"),
            Descriptions.count("requests with a first token", "ttft_ms.count")));
  }
}
