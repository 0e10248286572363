package io.orrery.engine.routing;

import java.util.List;

/**
 * Takes the workers in turn: the candidate with the next higher id than the one chosen last, and
 * after the highest the lowest. Turns go by id rather than by a counter, so that a worker that
 * comes or goes shifts nobody else's turn. The {@code round-robin} mode of NVIDIA Dynamo's router.
 */
public final class RoundRobin implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "round-robin",
          "Takes the workers in turn, by id.",
          List.of(),
          context -> new RoundRobin());

  private int last = -1;

  private RoundRobin() {}

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    int next = 0;
    while (next < candidates.size() && candidates.get(next).id() <= last) {
      next++;
    }
    if (next == candidates.size()) {
      next = 0;
    }
    last = candidates.get(next).id();
    return next;
  }
}
