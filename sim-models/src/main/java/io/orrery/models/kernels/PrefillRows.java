package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;
import java.util.function.ToDoubleBiFunction;

/**
 * Prefill attention of the layers of one window, over the number of chunks and the length of a cold
 * prompt.
 *
 * <p>A chunk with a prefix is derived, for no table measures it: its time as a cold prompt, and
 * that of its pairs with {@link OlderKeys}; at least what it takes to fetch the prefix's keys and
 * values. Several chunks take the mean over the chunks of the time that as many chunks of that kind
 * would take.
 */
final class PrefillRows implements ChunkTable.Chunks {
  private final int window;
  private final int layers;
  private final AttentionSite site;
  private final KernelFloor floor;
  private final ChunkTable cold;
  private final OlderKeys olderKeys;

  /**
   * Compiles the table.
   *
   * @param layers layers of that kind, at least 1
   * @param micros time of one layer for a number of prompts of one length
   */
  PrefillRows(
      AttentionSite site,
      int layers,
      KernelFloor floor,
      ToDoubleBiFunction<Integer, Integer> micros,
      FloorCheck check) {
    this.site = site;
    this.window = site.window() == 0 ? Integer.MAX_VALUE : site.window();
    this.layers = layers;
    this.floor = floor;
    this.cold =
        new ChunkTable(
            micros,
            (chunks, length, time) ->
                check.raise("prefill attention", time, chunks * least(length, 0)));
    this.olderKeys = new OlderKeys(cold, window);
  }

  private double least(int fresh, int prefix) {
    double pairs = CausalPairs.count(fresh, prefix, window);
    return floor.attention(site, pairs, CausalPairs.kvTokens(fresh, prefix, window));
  }

  @Override
  public double nanos(int row, int fresh, int prefix) {
    int known = Math.min(fresh, ChunkTable.LONGEST);
    double time = cold.at(row, known) * ChunkTable.share(row);
    if (known < fresh) {
      time *= (double) CausalPairs.count(fresh, 0, window) / CausalPairs.count(known, 0, window);
    }
    time += olderKeys.nanos(row, fresh, prefix);
    return layers * Math.max(time, 1e3 * least(fresh, prefix));
  }
}
