package io.orrery.engine.routing;

/**
 * Takes the worker that is believed to hold the longest prefix of the prompt, whatever its load; of
 * equal ones that with the fewest requests in flight, then the one chosen longest ago. The extreme
 * that shows what load costs a router which only looks at the cache.
 */
public final class KvOnly implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "kv-only",
          "Takes the worker with the longest cached prefix, of equal ones the one with the fewest requests in flight.",
          KvBeliefs.PARAMETERS,
          KvOnly::new);

  private final KvBeliefs beliefs;
  private final Turns turns;
  private final int[] depths;

  private KvOnly(RoutingContext context) {
    beliefs = new KvBeliefs(context);
    turns = new Turns(context);
    depths = new int[context.workers()];
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    beliefs.see(candidates);
    beliefs.depths(request, depths);
    return Load.first(
        candidates,
        (a, b) -> {
          int byDepth = Integer.compare(depths[b.id()], depths[a.id()]);
          int byRequests = Integer.compare(a.requestsInFlight(), b.requestsInFlight());
          return byDepth != 0 ? byDepth : byRequests != 0 ? byRequests : turns.compare(a, b);
        });
  }

  @Override
  public void explain(DecisionTerms terms, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      terms
          .put(i, "matched_blocks", depths[worker.id()])
          .put(i, "requests_in_flight", worker.requestsInFlight())
          .cost(i, -depths[worker.id()]);
    }
  }

  @Override
  public int believedBlocks(int worker) {
    return depths[worker];
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    beliefs.placed(request, worker);
    turns.placed(worker);
  }
}
