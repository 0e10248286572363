package io.orrery.engine;

import io.orrery.engine.routing.RoutingPolicyFactory;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one run simulates, besides the trace.
 *
 * @param dispatch when requests are sent
 * @param pools the workers; ids run through the pools in order. All pools have the block size of
 *     the trace's view
 * @param routing makes the policy
 * @param routingParameters parameters given to it, by name, as written
 * @param admission decides when requests may go to the router
 * @param completionReuse probability that a completion comes back verbatim in the next prompt: 1
 *     always, 0 never
 * @param router how the router works besides its policy
 * @param timeLimitNanos simulated time after which the run is cut off; {@link Long#MAX_VALUE} for
 *     none
 * @param seed of every random draw
 */
public record SimulationSettings(
    DispatchSettings dispatch,
    List<PoolSettings> pools,
    RoutingPolicyFactory routing,
    Map<String, String> routingParameters,
    AdmissionSettings admission,
    double completionReuse,
    RouterSettings router,
    long timeLimitNanos,
    long seed) {
  public SimulationSettings {
    pools = List.copyOf(pools);
    routingParameters = Collections.unmodifiableSortedMap(new TreeMap<>(routingParameters));
    if (pools.isEmpty()) {
      throw new IllegalArgumentException("pools: found none, expected at least one");
    }
    if (!(completionReuse >= 0 && completionReuse <= 1)) {
      throw new IllegalArgumentException(
          "completionReuse: found " + completionReuse + ", expected a probability");
    }
  }

  /** A run without admission. */
  public SimulationSettings(
      DispatchSettings dispatch,
      List<PoolSettings> pools,
      RoutingPolicyFactory routing,
      Map<String, String> routingParameters,
      double completionReuse,
      RouterSettings router,
      long timeLimitNanos,
      long seed) {
    this(
        dispatch,
        pools,
        routing,
        routingParameters,
        AdmissionSettings.NONE,
        completionReuse,
        router,
        timeLimitNanos,
        seed);
  }

  /** The same run with another admission. */
  public SimulationSettings with(AdmissionSettings newAdmission) {
    return new SimulationSettings(
        dispatch,
        pools,
        routing,
        routingParameters,
        newAdmission,
        completionReuse,
        router,
        timeLimitNanos,
        seed);
  }
}
