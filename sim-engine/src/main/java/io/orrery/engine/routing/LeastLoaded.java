package io.orrery.engine.routing;

import java.util.Comparator;
import java.util.List;

/**
 * Takes the worker with the least load, of equal ones that with the fewest requests in flight, of
 * equal ones the one that was chosen longest ago. Load is counted in requests (the {@code
 * least-loaded} mode of NVIDIA Dynamo's router), in their input tokens, or in the share of KV
 * blocks in use.
 */
public final class LeastLoaded implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "least-loaded",
          "Takes the worker with the least load, of equal ones the one chosen longest ago.",
          List.of(Load.PARAMETER),
          LeastLoaded::new);

  private final Load load;
  private final Turns turns;
  private final Comparator<WorkerView> order;

  private LeastLoaded(RoutingContext context) {
    load = Load.of(context);
    turns = new Turns(context);
    order =
        (a, b) -> {
          int byLoad = load.compare(a, b);
          return byLoad != 0 ? byLoad : turns.compare(a, b);
        };
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    return Load.first(candidates, order);
  }

  @Override
  public void explain(DecisionTerms terms, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      terms
          .put(i, "requests_in_flight", worker.requestsInFlight())
          .put(i, load.unit(), load.amount(worker))
          .cost(i, load.amount(worker));
    }
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    turns.placed(worker);
  }
}
