package io.orrery.reports.figures;

import io.orrery.engine.record.WorkerStats;
import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.TimeProfile;
import io.orrery.reports.summary.WorkerContexts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** How much KV memory there is, how much is used and needed, and what other precisions leave. */
final class HeadroomSection {
  private static final String KV = ", KV ";

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
    charts.addAll(
        WorkerMap.of(
            "kv",
            "KV blocks in use on each worker",
            "Share of the worker's blocks that running requests hold. The maps of all variants have"
                + " one scale.",
            Axis.linear("in use", Axis.Unit.SHARE),
            runs,
            RunFigures::usedShare));
    if (!memory.isEmpty()) {
      charts.add(precisions());
    }
    List<Table> tables = new ArrayList<>();
    tables.add(numbers());
    if (runs.stream().allMatch(HeadroomSection::isBounded)) {
      tables.add(contexts());
    }
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
                  : ", which fits if it lies where there is room");
    }
    return text
        + evicted(first)
        + " Three measures are apart: blocks in use are those of running requests, of which too many"
        + " lead to waiting and preemption; blocks that can be found again fill a cache by design;"
        + " the working set is what would have to stay for nothing to be evicted too early.";
  }

  private static String evicted(RunFigures run) {
    return run.summary().get("hit_rate.tokens").isPresent()
        ? "; "
            + HumanUnits.percent(Limits.evictedOfComputed(run.summary()))
            + " of the input that is still computed had been evicted."
        : ".";
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
        "Tokens in distinct blocks of live sessions' contexts, and what all KV caches hold together. A"
            + " worker finds only what lies in its own cache: see the table of workers.",
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        Axis.linear("tokens", Axis.Unit.TOKENS),
        lines,
        true,
        runs.get(0).summary().get("headroom.kv_pool_tokens", Double.NaN),
        "KV pool" + (samePools() ? "" : ", " + runs.get(0).name()));
  }

  private boolean samePools() {
    return runs.stream()
            .map(run -> run.summary().get("headroom.kv_pool_tokens", Double.NaN))
            .distinct()
            .count()
        == 1;
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

  /** KV of another precision takes the same memory: bars that are alike become one. */
  private Chart precisions() {
    Map<List<Double>, String> bars = new LinkedHashMap<>();
    double usable = 0;
    for (MemoryBar bar : memory) {
      List<Double> parts =
          List.of(bar.weightsGib(), bar.activationsGib(), bar.reserveGib(), bar.kvGib());
      bars.merge(parts, bar.name(), HeadroomSection::joined);
      double sum = parts.stream().mapToDouble(Double::doubleValue).sum();
      usable = bar.kvGib() > 0 ? Math.max(usable, sum) : usable;
    }
    List<BarChart.Part> parts = new ArrayList<>();
    List<String> names = List.of("weights", "activations", "reserve", "KV");
    for (int i = 0; i < names.size(); i++) {
      int part = i;
      parts.add(
          new BarChart.Part(
              names.get(i), bars.keySet().stream().mapToDouble(bar -> bar.get(part)).toArray()));
    }
    return new BarChart(
        "memory",
        "Memory of a GPU by precision of weights and KV",
        "Weights, activations, reserve and what is left for KV. "
            + (usable > 0
                ? "The engine may use "
                    + Figures.text(usable, Axis.Unit.GIB)
                    + " of a GPU at most; bars without a KV part do not fit into it."
                : "Bars without a KV part do not fit.")
            + " How many tokens the KV part holds depends on its precision, see the table.",
        Axis.linear("memory of a GPU", Axis.Unit.GIB),
        List.copyOf(bars.values()),
        parts);
  }

  /** {@code fp8, KV fp8} and {@code fp8, KV bf16} are {@code fp8, KV fp8 or bf16}. */
  private static String joined(String some, String other) {
    int kv = other.lastIndexOf(KV);
    return kv >= 0 && some.startsWith(other.substring(0, kv + KV.length()))
        ? some + " or " + other.substring(kv + KV.length())
        : some + "; " + other;
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

  private static boolean isBounded(RunFigures run) {
    return run.run().result().workers().stream().noneMatch(WorkerStats::unlimited)
        && run.run().timeline().byWorker() != null;
  }

  /** What the sessions of each worker need against what it holds, the fullest workers first. */
  private Table contexts() {
    List<List<String>> rows = new ArrayList<>();
    for (RunFigures run : runs) {
      WorkerContexts contexts = Objects.requireNonNull(run.run().timeline().byWorker());
      double[] filling = new double[run.run().result().workers().size()];
      double above = 0;
      int over = 0;
      for (WorkerStats worker : run.run().result().workers()) {
        int at = worker.worker();
        filling[at] = (double) contexts.peakBlocks(at) / worker.usableBlocks();
        above += contexts.nanosAbove(at);
        over += filling[at] > 1 ? 1 : 0;
      }
      Arrays.sort(filling);
      rows.add(
          List.of(
              run.name(),
              HumanUnits.percent(filling[0]),
              HumanUnits.percent(filling[filling.length / 2]),
              HumanUnits.percent(filling[filling.length - 1]),
              over + " of " + filling.length,
              HumanUnits.percent(
                  above / Math.max(1, run.run().result().endNanos()) / filling.length)));
    }
    return Table.of(
        "worker-contexts",
        "What the live sessions on a worker need of its KV cache at most (100 % is all of it)",
        List.of(
            "variant",
            "emptiest worker",
            "middle worker",
            "fullest worker",
            "above 100 %",
            "time above, all workers"),
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
            Descriptions.percent(
                "blocks in use p50, over all workers and moments", "headroom.used_fraction.p50"),
            Descriptions.percent(
                "blocks in use p99, over all workers and moments", "headroom.used_fraction.p99"),
            Descriptions.percent("headroom for running requests (1 − p99)", "headroom.fraction"),
            Descriptions.percent(
                "workers' time with 80 % in use and more", "headroom.time_above_80"),
            Descriptions.percent(
                "workers' time with 95 % in use and more", "headroom.time_above_95"),
            Descriptions.count("preemptions", "preemptions")));
  }
}
