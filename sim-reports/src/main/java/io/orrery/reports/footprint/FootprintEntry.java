package io.orrery.reports.footprint;

import io.orrery.models.Gpu;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import org.jspecify.annotations.Nullable;

/**
 * One combination.
 *
 * @param gpu the kind of GPU
 * @param tensorParallel GPUs that share a layer
 * @param weights precision of the weights
 * @param kv precision of the KV cache
 * @param memory the layout, or null if there is no such worker
 * @param obstacle why there is none, empty if there is one
 */
public record FootprintEntry(
    Gpu gpu,
    int tensorParallel,
    Precision weights,
    Precision kv,
    @Nullable MemoryFootprint memory,
    String obstacle) {

  /** Whether the worker can be built and has room for KV. */
  public boolean fits() {
    return memory != null && memory.fits();
  }

  /** Tokens that the KV caches of all the worker's ranks hold, kept for reuse; 0 if none fit. */
  public long tokens(boolean prefixCaching) {
    return memory == null || !memory.fits() ? 0 : ranks(memory) * memory.kvTokens(prefixCaching);
  }

  /** Sessions of a context that the worker's ranks hold at once; 0 if none fit. */
  public long sessions(long context, boolean prefixCaching) {
    return memory == null || !memory.fits()
        ? 0
        : ranks(memory) * memory.sequences(context, prefixCaching);
  }

  private static long ranks(MemoryFootprint memory) {
    return memory.deployment().attentionDataParallel();
  }
}
