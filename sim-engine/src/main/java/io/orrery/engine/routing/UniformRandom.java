package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import java.util.List;

/**
 * Takes any worker with equal probability, whatever its load. The draw is keyed by the request, so
 * it does not depend on what was drawn before. The {@code random} mode of NVIDIA Dynamo's router.
 */
public final class UniformRandom implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "random", "Takes any worker with equal probability.", List.of(), UniformRandom::new);

  private final Draws draws;

  private UniformRandom(RoutingContext context) {
    draws = context.draws("routing.random");
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    return draws.below(candidates.size(), request.id(), 0);
  }
}
