package io.orrery.reports.figures;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import io.orrery.reports.footprint.FootprintEntry;
import io.orrery.reports.footprint.FootprintGrid;
import io.orrery.reports.footprint.FootprintQuery;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.PoolSpec;
import io.orrery.scenarios.spec.ScenarioSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The memory of a run's GPUs as it is, and as it would be with other precisions. */
public final class MemoryBars {
  private static final double GIB = 1L << 30;

  private MemoryBars() {}

  /** Bars of every pool of the runs; pools that are alike have them once. */
  public static List<MemoryBar> of(List<ScenarioRun> runs) {
    Map<String, MemoryBar> bars = new LinkedHashMap<>();
    Set<Deployment> workers = new LinkedHashSet<>();
    runs.forEach(run -> workers.addAll(run.deployments()));
    Set<String> kinds = new LinkedHashSet<>();
    workers.forEach(worker -> kinds.add(kind(worker)));
    for (ScenarioRun run : runs) {
      for (int i = 0; i < run.deployments().size(); i++) {
        Deployment worker = run.deployments().get(i);
        String prefix = kinds.size() == 1 ? "" : kind(worker) + ": ";
        ScenarioSpec spec = run.variant().spec();
        for (FootprintEntry entry : FootprintGrid.of(query(spec, i, worker))) {
          MemoryFootprint memory = entry.memory();
          if (memory != null) {
            boolean own = entry.weights() == worker.weights() && entry.kv() == worker.kv();
            String name = prefix + entry.weights() + ", KV " + entry.kv() + (own ? " (run)" : "");
            bars.putIfAbsent(name, bar(name, memory, entry.tokens(spec.engine().prefixCaching())));
          }
        }
      }
    }
    return new ArrayList<>(bars.values());
  }

  private static String kind(Deployment worker) {
    return worker.model() + " on " + worker.gpu();
  }

  private static FootprintQuery query(ScenarioSpec spec, int index, Deployment worker) {
    PoolSpec pool = spec.pools().get(index);
    EngineSpec engine = spec.engine();
    Set<Precision> weights = new LinkedHashSet<>();
    weights.add(worker.weights());
    weights.addAll(List.of(Precision.NVFP4, Precision.FP8, Precision.BF16));
    Set<Precision> kv = new LinkedHashSet<>();
    kv.add(worker.kv());
    kv.addAll(List.of(Precision.FP8, Precision.BF16));
    return new FootprintQuery(
        worker.model(),
        List.of(worker.gpu()),
        List.of(worker.tensorParallel()),
        worker.pipelineParallel(),
        worker.expertParallel(),
        worker.attentionDataParallel(),
        worker.draftLayers(),
        new ArrayList<>(weights),
        new ArrayList<>(kv),
        Catalog.bundled().memoryRules().engine(engine.preset()),
        pool.gpuMemoryUtilization(),
        engine.maxBatchedTokens(),
        engine.maxSequences(),
        1,
        engine.prefixCaching());
  }

  /** The GPU of the tightest stage; what does not fit leaves no KV. */
  private static MemoryBar bar(String name, MemoryFootprint memory, long tokens) {
    MemoryFootprint.Stage stage = memory.tightestStage();
    return new MemoryBar(
        name,
        stage.weightBytes() / GIB,
        memory.activationBytes() / GIB,
        memory.reserveBytes() / GIB,
        Math.max(0, stage.kvBytes()) / GIB,
        tokens);
  }
}
