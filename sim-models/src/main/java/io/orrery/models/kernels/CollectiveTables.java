package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Known times of collectives by number of GPUs, linear in the elements between measured sizes. More
 * GPUs than were measured, or others, take the ring's bytes at the nearest number's rate: twice as
 * many steps of half the size cost twice the least time.
 */
final class CollectiveTables {
  private static final double TYPICAL_MICROS = 12;
  private static final double TYPICAL_RATE = 0.6;

  private final Map<Collective, TreeMap<Integer, Curve>> tables = new EnumMap<>(Collective.class);

  /** Adds rows {@code {elements, microseconds}} of one collective by GPUs. */
  void add(Collective collective, Map<Integer, List<double[]>> rows) {
    rows.forEach(
        (gpus, points) ->
            tables
                .computeIfAbsent(collective, c -> new TreeMap<>())
                .put(gpus, Curve.ofPoints(points.toArray(new double[0][]))));
  }

  /** Whether anything is known about a collective. */
  boolean knows(Collective collective) {
    return tables.containsKey(collective);
  }

  /**
   * Microseconds; 0 for one GPU.
   *
   * @param elements 16-bit elements, over all GPUs together where everybody has others
   * @throws MissingKernelException if nothing is known about the collective
   */
  double micros(Collective collective, int gpus, long elements, String source) {
    if (gpus == 1) {
      return 0;
    }
    TreeMap<Integer, Curve> known = tables.get(collective);
    if (known == null || known.isEmpty()) {
      throw new MissingKernelException(collective.label() + ": not among the " + source);
    }
    Map.Entry<Integer, Curve> entry = known.floorEntry(gpus);
    if (entry == null) {
      entry = known.firstEntry();
    }
    int measured = entry.getKey();
    Curve curve = entry.getValue();
    if (measured == gpus) {
      return curve.linear(elements);
    }
    double least = curve.y[0];
    double ring = share(gpus) / share(measured);
    return least * StrictMath.max(1, StrictMath.log(gpus) / StrictMath.log(measured))
        + (curve.linear(elements) - least) * ring;
  }

  private static double share(int gpus) {
    return (gpus - 1.0) / gpus;
  }

  /** A ring at typical rates, where nothing was measured. */
  static double ring(Collective collective, Gpu gpu, int gpus, long elements) {
    return ring(collective, gpu, gpus, elements, TYPICAL_MICROS, TYPICAL_RATE);
  }

  /** A ring at a share of the link's rate. */
  static double ring(
      Collective collective, Gpu gpu, int gpus, long elements, double leastMicros, double rate) {
    if (gpus == 1) {
      return 0;
    }
    double bytes = collective.rounds() * share(gpus) * 2.0 * elements;
    return leastMicros + bytes / (gpu.nvlinkBytesPerSecond() / KernelFloor.MICROS * rate);
  }
}
