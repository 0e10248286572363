package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;
import java.util.function.ToDoubleBiFunction;

/**
 * Prefill through blocks of latent attention, over the number of chunks and the length of a cold
 * prompt.
 *
 * <p>A chunk with a prefix is derived, for no table measures it: the time of the chunk as a cold
 * prompt; that of its pairs with {@link OlderKeys}, where attention is what a block takes beyond
 * its projections; and the projection that writes out keys and values of the prefix. It takes at
 * least the time to fetch the prefix's latents.
 */
final class LatentRows implements ChunkTable.Chunks {
  private final LatentSite site;
  private final int layers;
  private final KernelFloor floor;
  private final ChunkTable cold;
  private final OlderKeys olderKeys;
  private final ChunkTable writeOut;

  /**
   * Compiles the tables.
   *
   * @param layers layers, at least 1
   * @param products the projections
   * @param block microseconds of a block for a number of prompts of one length
   */
  LatentRows(
      LatentSite site,
      int layers,
      KernelFloor floor,
      DenseProducts products,
      ToDoubleBiFunction<Integer, Integer> block,
      FloorCheck check) {
    this.site = site;
    this.layers = layers;
    this.floor = floor;
    this.cold =
        new ChunkTable(
            block,
            (chunks, length, time) ->
                check.raise(
                    "latent prefill",
                    time,
                    products.latentFloor(
                        site,
                        (double) chunks * length,
                        chunks * pairs(length, 0),
                        (double) chunks * length)));
    ChunkTable attention =
        new ChunkTable(
            (chunks, length) ->
                Math.max(
                    chunks * floor.latentAttention(site, pairs(length, 0), length),
                    block.applyAsDouble(chunks, length)
                        - products.projections(site, chunks * length)),
            (chunks, length, time) -> time);
    this.olderKeys = new OlderKeys(attention, Integer.MAX_VALUE);
    this.writeOut =
        new ChunkTable(
            (chunks, length) -> products.writeOut(site, length), (chunks, length, time) -> time);
  }

  private static double pairs(int fresh, int prefix) {
    return CausalPairs.count(fresh, prefix, Integer.MAX_VALUE);
  }

  @Override
  public double nanos(int row, int fresh, int prefix) {
    double share = ChunkTable.share(row);
    int known = Math.min(fresh, ChunkTable.LONGEST);
    double time = cold.at(row, known) * share;
    if (known < fresh) {
      time *= pairs(fresh, 0) / pairs(known, 0);
    }
    if (prefix > 0) {
      time += olderKeys.nanos(row, fresh, prefix) + writeOut.at(0, prefix);
    }
    double least = floor.latentAttention(site, pairs(fresh, prefix), (double) fresh + prefix);
    return layers * Math.max(time, 1e3 * least);
  }
}
