package io.orrery.engine.routing;

import java.util.List;

/**
 * Takes the worker with the least load, of equal ones that with the fewest requests in flight, of
 * equal ones that with the lowest id. Load is counted in requests (the {@code least-loaded} mode of
 * NVIDIA Dynamo's router), in their input tokens, or in the share of KV blocks in use.
 */
public final class LeastLoaded implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "least-loaded",
          "Takes the worker with the least load, of equal ones that with the lowest id.",
          List.of(Load.PARAMETER),
          LeastLoaded::new);

  private final Load load;

  private LeastLoaded(RoutingContext context) {
    load = Load.of(context);
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    return load.least(candidates);
  }
}
