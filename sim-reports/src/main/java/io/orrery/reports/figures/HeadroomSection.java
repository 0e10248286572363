package io.orrery.reports.figures;

import io.orrery.engine.record.WorkerStats;
import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.TimeProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** How much KV memory there is, how much is used and needed, and what other precisions leave. */
final class HeadroomSection {
  private final List<RunFigures> runs;
  private final List<MemoryBar> memory;

  HeadroomSection(List<RunFigures> runs, List<MemoryBar> memory) {
    this.runs = runs;
    this.memory = memory;
  }

  Section section() {
    List<Chart> charts = new ArrayList<>();
    charts.add(workingSet());
    charts.add(
        overTime(
            "kv-used",
            "KV blocks in use over time",
            "Share of all workers' KV blocks that running requests hold.",
            RunFigures::usedBlocks));
    charts.add(
        overTime(
            "kv-kept",
            "KV blocks that can be found again over time",
            "Distinct blocks, worker by worker, in use or not, as a share of all workers' blocks.",
            RunFigures::keptBlocks));
    runs.forEach(run -> charts.add(workers(run)));
    if (!memory.isEmpty()) {
      charts.add(precisions());
    }
    List<Table> tables = new ArrayList<>();
    tables.add(numbers());
    if (!memory.isEmpty()) {
      tables.add(tokens());
    }
    return new Section("headroom", "Memory headroom", lead(), charts, tables);
  }

  private String lead() {
    RunFigures first = Descriptions.quickestFirst(runs).get(0);
    double pool = first.summary().get("headroom.kv_pool_tokens", 0);
    double set = first.summary().get("headroom.working_set_tokens.p95", Double.NaN);
    String text = "The KV caches of all workers hold " + HumanUnits.amount(pool) + " tokens";
    if (!Double.isNaN(set)) {
      text +=
          "; the contexts of live sessions need "
              + HumanUnits.amount(set)
              + " at p95"
              + (runs.size() == 1 ? "" : " under " + first.name())
              + (set > pool
                  ? ", more than there is: something must be evicted before it is needed again"
                  : ", which fits");
    }
    return text + ".";
  }

  private Chart workingSet() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      TimeProfile profile = run.run().timeline().workingSetProfile();
      double[] blocks = profile.means();
      double[] x = new double[blocks.length];
      System.arraycopy(profile.edgesSeconds(), 0, x, 0, x.length);
      double[] tokens = new double[blocks.length];
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = blocks[i] * run.run().result().blockSize();
      }
      lines.add(new LineChart.Line(run.name(), x, tokens));
    }
    return new LineChart(
        "working-set",
        "Working set against the pool",
        "Tokens in distinct blocks of live sessions' contexts, and what all KV caches hold.",
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        Axis.linear("tokens", Axis.Unit.TOKENS),
        lines,
        true,
        runs.get(0).summary().get("headroom.kv_pool_tokens", Double.NaN),
        "KV pool" + (runs.size() == 1 ? "" : ", " + runs.get(0).name()));
  }

  private Chart overTime(
      String id, String title, String description, Function<RunFigures, TimeProfile> level) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      double blocks =
          run.run().result().workers().stream().mapToDouble(WorkerStats::usableBlocks).sum();
      TimeProfile profile = level.apply(run);
      double[] shares = profile.means();
      for (int i = 0; i < shares.length; i++) {
        shares[i] /= blocks;
      }
      lines.add(
          new LineChart.Line(
              run.name(), Arrays.copyOf(profile.edgesSeconds(), shares.length), shares));
    }
    return new LineChart(
        id,
        title,
        description,
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        Axis.linear("KV blocks", Axis.Unit.SHARE),
        lines,
        true,
        Double.NaN,
        "");
  }

  private static Chart workers(RunFigures run) {
    return WorkerMap.of(
        "kv-" + SafeNames.id(run.name()),
        "KV blocks in use on each worker, " + run.name(),
        "Share of the worker's blocks that running requests hold.",
        Axis.linear("in use", Axis.Unit.SHARE),
        run,
        run::usedShare);
  }

  private Chart precisions() {
    int n = memory.size();
    double[][] values = new double[4][n];
    for (int i = 0; i < n; i++) {
      MemoryBar bar = memory.get(i);
      values[0][i] = bar.weightsGib();
      values[1][i] = bar.activationsGib();
      values[2][i] = bar.reserveGib();
      values[3][i] = bar.kvGib();
    }
    return new BarChart(
        "memory",
        "Memory of a GPU by precision of weights and KV",
        "Weights, activations, reserve and what is left for KV; bars without a KV part do not fit.",
        Axis.linear("memory of a GPU", Axis.Unit.GIB),
        memory.stream().map(MemoryBar::name).toList(),
        List.of(
            new BarChart.Part("weights", values[0]),
            new BarChart.Part("activations", values[1]),
            new BarChart.Part("reserve", values[2]),
            new BarChart.Part("KV", values[3])));
  }

  private Table tokens() {
    List<List<String>> rows = new ArrayList<>();
    for (MemoryBar bar : memory) {
      rows.add(
          List.of(
              bar.name(),
              bar.workerTokens() == 0 ? "does not fit" : HumanUnits.amount(bar.workerTokens())));
    }
    return Table.of(
        "memory-tokens",
        "What the KV cache of a worker holds, by precision of weights and KV",
        List.of("precisions", "tokens"),
        rows);
  }

  private Table numbers() {
    return Descriptions.table(
        "headroom-numbers",
        "KV memory in tokens and shares",
        runs,
        List.of(
            Descriptions.amount("KV pool, tokens", "headroom.kv_pool_tokens"),
            Descriptions.amount("working set p50, tokens", "headroom.working_set_tokens.p50"),
            Descriptions.amount("working set p95, tokens", "headroom.working_set_tokens.p95"),
            Descriptions.amount("working set max, tokens", "headroom.working_set_tokens.max"),
            Descriptions.percent("blocks in use p50", "headroom.used_fraction.p50"),
            Descriptions.percent("blocks in use p99", "headroom.used_fraction.p99"),
            Descriptions.percent("headroom (1 − p99)", "headroom.fraction"),
            Descriptions.percent("time above 80 %", "headroom.time_above_80"),
            Descriptions.percent("time above 95 %", "headroom.time_above_95"),
            Descriptions.count("preemptions", "preemptions")));
  }
}
