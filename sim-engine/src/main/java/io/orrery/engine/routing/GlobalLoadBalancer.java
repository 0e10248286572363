package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The load balancer of reinforcement-learning roll-outs in verl ({@code GlobalRequestLoadBalancer},
 * {@code verl/workers/rollout}): a session stays where its first request went, as long as it is
 * among the sessions used last; one that is not known goes to the worker with the fewest requests
 * in flight, of equal ones the first. There is no time limit, only the size of the map.
 */
public final class GlobalLoadBalancer implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "global-lb",
          "Keeps a session where its first request found the fewest in flight, as long as it is among the sessions used"
              + " last.",
          List.of(
              PolicyParameter.number(
                  "mostSessions",
                  "10000",
                  1,
                  1e9,
                  "Sessions that are remembered; the one used longest ago goes.")),
          GlobalLoadBalancer::new);

  /** Worker by session, the one used longest ago first. */
  private final Map<Integer, Integer> workers;

  private GlobalLoadBalancer(RoutingContext context) {
    long most = (long) context.number("mostSessions");
    workers =
        new LinkedHashMap<>(64, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
            return size() > most;
          }
        };
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    Integer known = workers.get(request.session());
    int fewest = 0;
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      if (known != null && worker.id() == known) {
        return i;
      }
      if (worker.requestsInFlight() < candidates.get(fewest).requestsInFlight()) {
        fewest = i;
      }
    }
    return fewest;
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    workers.put(request.session(), worker);
  }
}
