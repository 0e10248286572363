package io.orrery.reports.footprint;

import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import java.util.ArrayList;
import java.util.List;

/** Every combination of a query, by GPU, tensor parallelism, weights and KV. */
public final class FootprintGrid {
  private FootprintGrid() {}

  /**
   * Lays out all combinations.
   *
   * @throws IllegalArgumentException if the memory share or another number is out of range
   */
  public static List<FootprintEntry> of(FootprintQuery query) {
    List<FootprintEntry> entries = new ArrayList<>();
    for (Gpu gpu : query.gpus()) {
      for (int tensorParallel : query.tensorParallel()) {
        for (Precision weights : query.weights()) {
          for (Precision kv : query.kv()) {
            entries.add(entry(query, gpu, tensorParallel, weights, kv));
          }
        }
      }
    }
    return List.copyOf(entries);
  }

  private static FootprintEntry entry(
      FootprintQuery query, Gpu gpu, int tensorParallel, Precision weights, Precision kv) {
    Deployment worker;
    try {
      worker =
          new Deployment(
              query.model(),
              gpu,
              tensorParallel,
              query.pipelineParallel(),
              query.expertParallel(),
              query.attentionDataParallel(),
              query.draftLayers(),
              weights,
              kv);
    } catch (IllegalArgumentException e) {
      return new FootprintEntry(
          gpu, tensorParallel, weights, kv, null, String.valueOf(e.getMessage()));
    }
    MemoryFootprint memory =
        MemoryFootprint.layOut(
            worker, query.engine(), query.share(), query.maxBatchedTokens(), query.maxSequences());
    return new FootprintEntry(gpu, tensorParallel, weights, kv, memory, "");
  }
}
