package io.orrery.scenarios.fidelity;

import io.orrery.models.HostCosts;
import java.util.List;

/**
 * What a comparison found.
 *
 * @param stepTimes name of the step times
 * @param rows the measurements that were replayed, in the order of the files
 * @param skipped those that were not, and why
 * @param fits host constants that were fitted
 * @param pools KV pools whose measured size is known
 * @param quantiles of the requests of open-loop runs, as shipped
 */
public record FidelityResult(
    String stepTimes,
    List<FidelityRow> rows,
    List<Skipped> skipped,
    List<Fit> fits,
    List<Pool> pools,
    List<Quantile> quantiles) {
  public FidelityResult {
    rows = List.copyOf(rows);
    skipped = List.copyOf(skipped);
    fits = List.copyOf(fits);
    pools = List.copyOf(pools);
    quantiles = List.copyOf(quantiles);
  }

  /** A measurement that was not replayed. */
  public record Skipped(Configuration configuration, String reason) {}

  /**
   * Fitted host constants.
   *
   * @param engine whose rows
   * @param without what was left out of the fit, empty for nothing
   * @param rows how many rows were fitted
   * @param host the constants
   */
  public record Fit(String engine, String without, int rows, HostCosts host) {}

  /** A KV pool: blocks that the engine reported, and that the memory model tells. */
  public record Pool(Configuration configuration, long measuredBlocks, long toldBlocks) {}

  /**
   * A quantile over the requests of a run.
   *
   * @param share from 0 to 1
   */
  public record Quantile(
      Configuration configuration, Metric metric, double share, double measured, double told) {}
}
