package com.example;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.RoutingPolicyFactory;
import io.orrery.engine.routing.WorkerView;
import java.util.List;

/** Goes where the longest prefix of the prompt is cached, unless that worker is too busy. */
public final class FollowPrefix implements RoutingPolicy {

  /** What {@code ServiceLoader} finds. */
  public static final class Factory implements RoutingPolicyFactory {
    @Override
    public String name() {
      return "follow-prefix";
    }

    @Override
    public String summary() {
      return "Goes where the longest prefix is cached, unless that worker is too busy.";
    }

    @Override
    public List<PolicyParameter> parameters() {
      return List.of(
          PolicyParameter.number(
              "tolerance", "4", 0, 1e6, "Requests that it may have above the least busy worker."));
    }

    @Override
    public RoutingPolicy create(RoutingContext context) {
      return new FollowPrefix(context);
    }
  }

  private final double tolerance;
  private final PrefixBeliefs beliefs;
  private final int[] cachedBlocks;

  private FollowPrefix(RoutingContext context) {
    tolerance = context.number("tolerance");
    beliefs = context.beliefs();
    cachedBlocks = new int[context.workers()];
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    beliefs.depths(request, cachedBlocks);
    int idlest = 0;
    for (int i = 1; i < candidates.size(); i++) {
      if (requests(candidates.get(i)) < requests(candidates.get(idlest))) {
        idlest = i;
      }
    }
    double limit = requests(candidates.get(idlest)) + tolerance;
    int best = idlest;
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      if (requests(worker) <= limit
          && cachedBlocks[worker.id()] > cachedBlocks[candidates.get(best).id()]) {
        best = i;
      }
    }
    return best;
  }

  private static int requests(WorkerView worker) {
    return worker.requestsInFlight();
  }
}
