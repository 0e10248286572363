package com.example.policies;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.RoutingPolicyFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives a session to the worker that has got the fewest sessions so far, and leaves it there. A
 * session that another one has spawned stays with that one, if asked.
 */
public final class FewestSessions implements RoutingPolicy {

  /** What ServiceLoader finds. */
  public static final class Factory implements RoutingPolicyFactory {
    @Override
    public String name() {
      return "fewest-sessions";
    }

    @Override
    public String summary() {
      return "Gives a session to the worker with the fewest sessions so far, and leaves it there.";
    }

    @Override
    public List<PolicyParameter> parameters() {
      return List.of(
          PolicyParameter.flag(
              "withParent", true, "Whether a spawned session stays with the one that spawned it."));
    }

    @Override
    public RoutingPolicy create(RoutingContext context) {
      return new FewestSessions(context);
    }
  }

  private final boolean withParent;
  private final int[] sessions;
  private final Map<Integer, Integer> workerOf = new LinkedHashMap<>();

  private FewestSessions(RoutingContext context) {
    withParent = context.text("withParent").equals("true");
    sessions = new int[context.workers()];
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    Integer wanted = workerOf.get(request.session());
    if (wanted == null && withParent) {
      wanted = workerOf.get(request.parentSession());
    }
    int best = 0;
    for (int i = 0; i < candidates.size(); i++) {
      int worker = candidates.get(i).id();
      if (wanted != null && worker == wanted) {
        return i;
      }
      if (sessions[worker] < sessions[candidates.get(best).id()]) {
        best = i;
      }
    }
    return best;
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    if (workerOf.put(request.session(), worker) == null) {
      sessions[worker]++;
    }
  }
}
