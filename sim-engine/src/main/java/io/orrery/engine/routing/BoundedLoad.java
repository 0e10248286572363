package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;

/**
 * The most requests that a worker may have under hashing with bounded loads: {@code ceil(factor ·
 * (requests in flight + 1) / candidates)}. Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing
 * with Bounded Loads", SODA 2018.
 */
final class BoundedLoad {
  static final PolicyParameter PARAMETER =
      PolicyParameter.number(
          "loadFactor",
          "1.25",
          1,
          1e6,
          "A worker takes at most this many times the mean of the requests in flight; who finds it full goes to the next one.");

  private final double factor;

  BoundedLoad(RoutingContext context) {
    factor = context.number(PARAMETER.name());
  }

  /** Most requests in flight on a worker, the one to be placed included. */
  double most(Candidates candidates) {
    long inFlight = 1;
    for (int i = 0; i < candidates.size(); i++) {
      inFlight += candidates.get(i).requestsInFlight();
    }
    return Math.ceil(factor * inFlight / candidates.size());
  }
}
