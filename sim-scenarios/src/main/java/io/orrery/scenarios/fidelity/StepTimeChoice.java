package io.orrery.scenarios.fidelity;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Which step times measurements are replayed with; compiled once per worker and host constants.
 *
 * @param kind law or table
 * @param perfData folder of measured tables, empty for the kind law
 */
public record StepTimeChoice(String kind, String perfData) {
  /** The laws that ship. */
  public static final StepTimeChoice LAW = new StepTimeChoice("law", "");

  /** Interpolation in measured tables. */
  public static StepTimeChoice table(String perfData) {
    return new StepTimeChoice("table", perfData);
  }

  /**
   * Step times of a worker for host constants that are still open.
   *
   * @param variation parameters of the kind, by name: whose kernels and the like
   */
  Function<HostCosts, StepTimeModel> of(
      Catalog catalog, Deployment worker, int batchedTokens, Map<String, String> variation) {
    Map<String, String> parameters = new LinkedHashMap<>(variation);
    if (!perfData.isEmpty()) {
      parameters.put("perfData", perfData);
    }
    Map<HostCosts, StepTimeModel> compiled = new ConcurrentHashMap<>();
    return host ->
        compiled.computeIfAbsent(
            host,
            costs ->
                StepTimeModels.compile(
                    kind,
                    new StepTimeSetup(
                        worker, catalog, batchedTokens, parameters, StepTimeProfile.of(costs))));
  }
}
