package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What GPUs did: the prefill ledger and the decode ledger, apart. */
final class GpuTimeSection {
  private static final List<String> PARTS = List.of("prefill", "decode", "idle");

  private static final String DECODE = "gpu_seconds.decode";

  private static final String SPEEDUP = "speculation.decode_speedup";

  /** Stretches that become one where a rate jumps too much to be read. */
  private static final int JOINED = 6;

  private final List<RunFigures> runs;

  GpuTimeSection(List<RunFigures> runs) {
    this.runs = runs;
  }

  Section section() {
    List<Chart> charts = new ArrayList<>();
    charts.add(shares());
    if (runs.stream().anyMatch(run -> run.summary().get(SPEEDUP).isPresent())) {
      charts.add(decode());
    }
    charts.add(output());
    return new Section("gpu-time", "GPU time", lead(), charts, List.of(numbers()));
  }

  private String lead() {
    RunFigures quickest = Descriptions.quickestFirst(runs).get(0);
    Summary first = quickest.summary();
    return (runs.size() == 1 ? "" : "Under " + quickest.name() + ", ")
        + HumanUnits.percent(Reasons.gpuShare(first, "prefill"))
        + " of the GPU time goes into prefill and "
        + HumanUnits.percent(Reasons.gpuShare(first, "decode"))
        + " into decode. A step that does both is booked as decode for as long as its decodes alone"
        + " would have taken, and as prefill for the rest: that the rest makes others' tokens late"
        + " is in the time per output token, not here. "
        + batches();
  }

  /** Why decode takes more time where it serves fewer at once. */
  private String batches() {
    return "A step costs little more for a larger batch, so the same output takes more decode time"
        + " where fewer requests decode at once: "
        + runs.stream()
            .map(
                run ->
                    run.name()
                        + " "
                        + HumanUnits.amount(
                            run.summary().get("tokens.output", 0)
                                / Math.max(1e-9, run.summary().get(DECODE, 0))))
            .collect(Collectors.joining(", "))
        + " output tokens a GPU second of decode.";
  }

  private Chart shares() {
    List<BarChart.Part> parts = new ArrayList<>();
    for (String part : PARTS) {
      parts.add(
          new BarChart.Part(
              part,
              runs.stream().mapToDouble(run -> Reasons.gpuShare(run.summary(), part)).toArray()));
    }
    return new BarChart(
        "gpu-time-shares",
        "GPU time by what it was spent on",
        "Shares of all GPUs' simulated time; together they are all of it.",
        Axis.linear("GPU time", Axis.Unit.SHARE),
        runs.stream().map(RunFigures::name).toList(),
        parts);
  }

  /** The decode ledger: what drafted tokens save or cost, apart from all else. */
  private Chart decode() {
    double[] spent = new double[runs.size()];
    double[] saved = new double[runs.size()];
    for (int i = 0; i < spent.length; i++) {
      Summary summary = runs.get(i).summary();
      spent[i] = summary.get(DECODE, Double.NaN);
      saved[i] = Math.max(0, spent[i] * (summary.get(SPEEDUP, 1) - 1));
    }
    return new BarChart(
        "decode-ledger",
        "The decode ledger: GPU time in decode, and what drafted tokens save of it",
        "GPU seconds in decode, drafting included, and how many more the same tokens would have"
            + " taken without drafts, by the speed-up of decode in the table; where drafts cost more"
            + " than they bring, nothing is saved.",
        Axis.linear("GPU time", Axis.Unit.SECONDS),
        runs.stream().map(RunFigures::name).toList(),
        List.of(
            new BarChart.Part("decode", spent),
            new BarChart.Part("saved by drafted tokens", saved)));
  }

  private Chart output() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      double[] rates = run.outputPerSecond();
      double[] edges = run.running().edgesSeconds();
      double[] x = new double[rates.length / JOINED];
      double[] means = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = edges[i * JOINED];
        means[i] = Arrays.stream(rates, i * JOINED, (i + 1) * JOINED).average().orElse(Double.NaN);
      }
      lines.add(new LineChart.Line(run.name(), x, means));
    }
    return new LineChart(
        "output-rate",
        "Output tokens per second over time",
        "Means over "
            + RunFigures.STRETCHES / JOINED
            + " equal stretches of each run; tokens are counted where their request ended.",
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        Axis.linear("output tokens per second", Axis.Unit.COUNT),
        lines,
        true,
        Double.NaN,
        "");
  }

  private Table numbers() {
    return Descriptions.table(
        "gpu-time-numbers",
        "GPU seconds, cost and energy",
        runs,
        List.of(
            Descriptions.amount("GPU seconds in prefill", "gpu_seconds.prefill"),
            Descriptions.amount("GPU seconds in decode", "gpu_seconds.decode"),
            Descriptions.amount("GPU seconds idle", "gpu_seconds.idle"),
            Descriptions.amount("tokens computed again after preemption", "redo_tokens"),
            Descriptions.amount("GPU hours", "cost.gpu_hours"),
            Descriptions.amount("cost, USD", "cost.usd"),
            Descriptions.amount(
                "whole cost over input tokens, USD a million", "cost.usd_per_million_input_tokens"),
            Descriptions.amount(
                "whole cost over output tokens, USD a million (not to be added)",
                "cost.usd_per_million_output_tokens"),
            Descriptions.amount("whole cost over sessions, USD each", "cost.usd_per_session"),
            Descriptions.amount("output tokens a speculated step", "speculation.tokens_per_step"),
            Descriptions.percent("drafted tokens accepted", "speculation.accepted"),
            Descriptions.amount("decode speed-up by drafted tokens", SPEEDUP),
            Descriptions.amount("energy, kWh", "cost.kwh"),
            Descriptions.seconds("simulated time", "simulated_s")));
  }
}
