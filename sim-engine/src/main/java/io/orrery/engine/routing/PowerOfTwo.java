package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import java.util.List;

/**
 * Draws two different workers with equal probability and takes the less loaded one, the first drawn
 * if nothing tells them apart. Nearly as even as the least-loaded worker, without everybody running
 * to the same one. Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", IEEE
 * Transactions on Parallel and Distributed Systems 12(10), 2001.
 */
public final class PowerOfTwo implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "power-of-two",
          "Draws two different workers and takes the less loaded, of equal ones the first drawn.",
          List.of(Load.PARAMETER),
          PowerOfTwo::new);

  private final Load load;
  private final Draws draws;

  private PowerOfTwo(RoutingContext context) {
    load = Load.of(context);
    draws = context.draws("routing.power-of-two");
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    int size = candidates.size();
    if (size == 1) {
      return 0;
    }
    int first = draws.below(size, request.id(), 0);
    int second = draws.below(size - 1, request.id(), 1);
    if (second >= first) {
      second++;
    }
    return load.compare(candidates.get(second), candidates.get(first)) < 0 ? second : first;
  }
}
