package io.orrery.engine.routing;

import java.util.List;

/**
 * A reference that no router can be: it sees what the workers' caches hold in truth, at once and
 * without loss, and takes the worker with the fewest prompt tokens left to compute with this
 * request on it, of equal ones that with the fewest requests in flight, then the lowest id. It
 * still decides request by request and knows nothing of the future: other policies may do better in
 * a run, and it bounds nothing.
 */
public final class OracleRouting implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "oracle-routing",
          "A reference, not a router: sees what the caches hold in truth and takes the worker with the fewest prompt"
              + " tokens left to compute.",
          List.of(),
          OracleRouting::new);

  private final PrefixBeliefs truth;
  private final LoadLedger load;
  private final int[] depths;

  private OracleRouting(RoutingContext context) {
    truth = context.truth();
    load = context.load();
    depths = new int[context.workers()];
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    truth.depths(request, depths);
    int best = 0;
    for (int i = 1; i < candidates.size(); i++) {
      if (isBetter(request, candidates.get(i), candidates.get(best))) {
        best = i;
      }
    }
    return best;
  }

  private boolean isBetter(RoutedRequest request, WorkerView a, WorkerView b) {
    long left = tokensLeft(request, a.id());
    long leftThere = tokensLeft(request, b.id());
    return left != leftThere ? left < leftThere : a.requestsInFlight() < b.requestsInFlight();
  }

  private long tokensLeft(RoutedRequest request, int worker) {
    return load.prefillTokens(worker) + request.inputTokens() - cachedTokens(request, worker);
  }

  @Override
  public int cachedTokens(RoutedRequest request, int worker) {
    return Math.min(depths[worker] * request.blockSize(), request.inputTokens());
  }
}
