package io.orrery.models.kernels;

import java.util.function.ToDoubleBiFunction;

/** Prompts through Mamba2 layers: what is in front of a chunk costs nothing but its state. */
final class StatePrefillRows implements ChunkTable.Chunks {
  private final int layers;
  private final ChunkTable cold;

  StatePrefillRows(
      StateSite site,
      int layers,
      KernelFloor floor,
      ToDoubleBiFunction<Integer, Integer> micros,
      FloorCheck check) {
    this.layers = layers;
    this.cold =
        new ChunkTable(
            micros,
            (chunks, length, time) ->
                check.raise(
                    "state scan",
                    time,
                    floor.statePrefill(site, chunks, (double) chunks * length)));
  }

  @Override
  public double nanos(int row, int fresh, int prefix) {
    double time = cold.at(row, fresh) * ChunkTable.share(row);
    if (fresh > ChunkTable.LONGEST) {
      time *= (double) fresh / ChunkTable.LONGEST;
    }
    return layers * time;
  }
}
