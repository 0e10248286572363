package io.orrery.reports.summary;

import io.orrery.engine.PoolSettings;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What is known of the cluster of a run beside what it did.
 *
 * @param pools its pools, in the order of worker ids; empty if unknown
 * @param dollarsPerHour price of all GPUs, if known
 * @param kilowatts power of all GPUs, if known
 */
public record ClusterFacts(
    List<PoolSettings> pools, OptionalDouble dollarsPerHour, OptionalDouble kilowatts) {
  /** Nothing is known. */
  public static final ClusterFacts UNKNOWN =
      new ClusterFacts(List.of(), OptionalDouble.empty(), OptionalDouble.empty());

  public ClusterFacts {
    pools = List.copyOf(pools);
  }

  /** The pool of a worker; {@link #pools} must be known. */
  PoolSettings poolOf(int worker) {
    int first = 0;
    for (PoolSettings pool : pools) {
      first += pool.workers();
      if (worker < first) {
        return pool;
      }
    }
    throw new IllegalArgumentException("no worker " + worker);
  }
}
