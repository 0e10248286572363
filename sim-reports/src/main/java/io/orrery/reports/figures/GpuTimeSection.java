package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.List;

/** What GPUs did: the prefill ledger and the decode ledger, apart. */
final class GpuTimeSection {
  private static final List<String> PARTS = List.of("prefill", "decode", "idle");

  private static final String SPEEDUP = "speculation.decode_speedup";

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
        + HumanUnits.percent(share(first, "prefill"))
        + " of the GPU time goes into prefill and "
        + HumanUnits.percent(share(first, "decode"))
        + " into decode. They are separate ledgers: a faster decode is not a gain of routing.";
  }

  private static double share(Summary summary, String part) {
    double all = 0;
    for (String each : PARTS) {
      all += summary.get("gpu_seconds." + each, 0);
    }
    return all == 0 ? Double.NaN : summary.get("gpu_seconds." + part, 0) / all;
  }

  private Chart shares() {
    List<BarChart.Part> parts = new ArrayList<>();
    for (String part : PARTS) {
      parts.add(
          new BarChart.Part(
              part, runs.stream().mapToDouble(run -> share(run.summary(), part)).toArray()));
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
      spent[i] = summary.get("gpu_seconds.decode", Double.NaN);
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
      double[] x = new double[rates.length];
      System.arraycopy(run.running().edgesSeconds(), 0, x, 0, x.length);
      lines.add(new LineChart.Line(run.name(), x, rates));
    }
    return new LineChart(
        "output-rate",
        "Output tokens per second over time",
        "Tokens are counted where their request ended.",
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
            Descriptions.amount("USD a million input tokens", "cost.usd_per_million_input_tokens"),
            Descriptions.amount(
                "USD a million output tokens", "cost.usd_per_million_output_tokens"),
            Descriptions.amount("USD a session", "cost.usd_per_session"),
            Descriptions.amount("output tokens a speculated step", "speculation.tokens_per_step"),
            Descriptions.percent("drafted tokens accepted", "speculation.accepted"),
            Descriptions.amount("decode speed-up by drafted tokens", SPEEDUP),
            Descriptions.amount("energy, kWh", "cost.kwh"),
            Descriptions.seconds("simulated time", "simulated_s")));
  }
}
