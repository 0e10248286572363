package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import java.util.List;

/**
 * Rendezvous hashing of sessions with bounded loads: every worker has a pseudo-random score for a
 * session, and the session goes to the candidate with the highest one that does not have its share
 * of requests in flight yet, see {@link BoundedLoad}. Thaler and Ravishankar, "Using Name-Based
 * Mappings to Increase Hit Rates", IEEE/ACM Transactions on Networking 6(1), 1998.
 */
public final class Rendezvous implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "rendezvous",
          "Sends a session to the worker with its highest pseudo-random score that is not full.",
          List.of(BoundedLoad.PARAMETER, SessionKey.PARAMETER),
          Rendezvous::new);

  private final Draws draws;
  private final SessionKey key;
  private final BoundedLoad bound;

  private Rendezvous(RoutingContext context) {
    draws = context.draws("routing.rendezvous");
    key = SessionKey.of(context);
    bound = new BoundedLoad(context);
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    double most = bound.most(candidates);
    int group = key.of(request);
    int best = -1;
    long bestScore = 0;
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      long score = draws.bits(group, worker.id());
      if (worker.requestsInFlight() < most && (best < 0 || score > bestScore)) {
        best = i;
        bestScore = score;
      }
    }
    return best;
  }
}
