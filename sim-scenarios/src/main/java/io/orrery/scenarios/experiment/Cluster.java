package io.orrery.scenarios.experiment;

import io.orrery.engine.AdmissionSettings;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.routing.RoutingPolicyFactory;
import io.orrery.models.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A variant's workers and their router.
 *
 * @param pools the workers
 * @param routing makes the policy
 * @param routingParameters its parameters as written, checked
 * @param router how the router works besides
 * @param admission decides when requests may go to the router
 * @param sources what their step times rest on
 * @param deployments a worker of each pool
 * @param cost what it costs
 * @param assumptions what was decided on the way, a sentence each
 */
record Cluster(
    List<PoolSettings> pools,
    RoutingPolicyFactory routing,
    Map<String, String> routingParameters,
    RouterSettings router,
    AdmissionSettings admission,
    StepTimeSources sources,
    List<Deployment> deployments,
    ClusterCost cost,
    List<String> assumptions) {
  Cluster {
    pools = List.copyOf(pools);
    deployments = List.copyOf(deployments);
    assumptions = List.copyOf(assumptions);
  }

  /** The same, with passes that last so many times as long. */
  Cluster slowed(double factor) {
    List<PoolSettings> slow = new ArrayList<>();
    for (PoolSettings pool : pools) {
      slow.add(
          new PoolSettings(
              pool.name(),
              pool.workers(),
              pool.gpusPerWorker(),
              pool.scheduler(),
              new SlowedStepTime(pool.stepTime(), factor),
              pool.model(),
              pool.weight(),
              pool.labels()));
    }
    return new Cluster(
        slow,
        routing,
        routingParameters,
        router,
        admission,
        sources,
        deployments,
        cost,
        assumptions);
  }
}
