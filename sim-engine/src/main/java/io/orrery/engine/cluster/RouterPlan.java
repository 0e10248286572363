package io.orrery.engine.cluster;

import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.RoutingPolicyFactory;

/**
 * What all replicas of the router are built from.
 *
 * @param admission makes the policy before it
 * @param blockSize tokens in a KV block
 */
record RouterPlan(
    RoutingPolicyFactory factory,
    PolicyParameters parameters,
    AdmissionPolicyFactory admission,
    RouterSettings settings,
    long seed,
    int blockSize) {
  static RouterPlan of(SimulationSettings settings, int blockSize) {
    return new RouterPlan(
        settings.routing(),
        PolicyParameters.resolve(settings.routing(), settings.routingParameters()),
        settings.admission().policy(),
        settings.router(),
        settings.seed(),
        blockSize);
  }
}
