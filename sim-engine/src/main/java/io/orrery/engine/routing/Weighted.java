package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.Comparator;
import java.util.List;

/**
 * Takes the worker with the least load for its weight, for pools of unlike workers: {@code load /
 * weight} after the request has come, so that of two idle workers the heavier is taken. Of equal
 * ones the one chosen longest ago. NVIDIA Dynamo's device-aware weighted mode divides the load of a
 * device kind by count and weight in the same way.
 */
public final class Weighted implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "weighted",
          "Takes the worker with the least requests in flight for its weight.",
          List.of(
              PolicyParameter.choice(
                  "weightBy",
                  "pool",
                  List.of("pool", "gpus", "kv"),
                  "A worker's weight: what its pool says (cluster.pools.NAME.weight), its GPUs, or its KV blocks.")),
          Weighted::new);

  private final String weightBy;
  private final Comparator<WorkerView> order;
  private final Turns turns;

  private Weighted(RoutingContext context) {
    weightBy = context.text("weightBy");
    turns = new Turns(context);
    order =
        (a, b) -> {
          int byLoad = Double.compare(share(a), share(b));
          return byLoad != 0 ? byLoad : turns.compare(a, b);
        };
  }

  private double share(WorkerView worker) {
    double weight =
        switch (weightBy) {
          case "gpus" -> worker.gpus();
          case "kv" -> worker.totalBlocks();
          default -> worker.weight();
        };
    return (worker.requestsInFlight() + 1) / weight;
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
          .put(i, "load_by_weight", share(worker))
          .cost(i, share(worker));
    }
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    turns.placed(worker);
  }
}
