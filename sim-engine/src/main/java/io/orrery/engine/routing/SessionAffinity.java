package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps a session on the worker that took its first request. A session without a binding goes to
 * the least-loaded worker, of equal ones to that with the fewest sessions bound, then to the one
 * chosen longest ago, and is bound to it when the request has been placed there. The binding ends
 * {@code ttl} after the session's last request ended; a request in flight keeps it alive. A bound
 * worker that is no candidate loses the session, which is bound anew. A child session has a binding
 * of its own. This is NVIDIA Dynamo's session affinity ({@code lib/llm/src/session_affinity}) in
 * its soft mode, for one router replica and without its limit of 65,536 entries.
 */
public final class SessionAffinity implements RoutingPolicy {
  private static final double YEAR_SECONDS = 31_536_000;

  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "session-affinity",
          "Keeps a session on the worker that took its first request, which was then the least loaded.",
          List.of(
              PolicyParameter.duration(
                  "ttl",
                  "1 h",
                  1,
                  YEAR_SECONDS,
                  "How long after the end of its last request a session keeps its worker; an hour outlasts all but"
                      + " some 2 % of the pauses inside Claude Code sessions."),
              Load.PARAMETER),
          SessionAffinity::new);

  private final long ttlNanos;
  private final Turns turns;
  private final Comparator<WorkerView> order;
  private final int[] boundSessions;

  /** Bindings by session, the one that was used longest ago first. */
  private final Map<Integer, Binding> bindings = new LinkedHashMap<>(64, 0.75f, true);

  private SessionAffinity(RoutingContext context) {
    ttlNanos = context.nanos("ttl");
    Load load = Load.of(context);
    turns = new Turns(context);
    boundSessions = new int[context.workers()];
    order =
        (a, b) -> {
          int byLoad = load.compare(a, b);
          if (byLoad != 0) {
            return byLoad;
          }
          int byBindings = Integer.compare(boundSessions[a.id()], boundSessions[b.id()]);
          return byBindings != 0 ? byBindings : turns.compare(a, b);
        };
  }

  private static final class Binding {
    int worker = -1;
    int inFlight;
    long idleSinceNanos;
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    expire(request.nowNanos());
    Binding binding = bindings.get(request.session());
    if (binding != null && alive(binding, request.nowNanos())) {
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.get(i).id() == binding.worker) {
          return i;
        }
      }
    }
    return Load.first(candidates, order);
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    Binding binding = bindings.computeIfAbsent(request.session(), session -> new Binding());
    if (binding.worker != worker) {
      unbind(binding);
      binding.worker = worker;
      boundSessions[worker]++;
      turns.placed(worker);
    }
    binding.inFlight++;
  }

  @Override
  public void ended(RoutedRequest request, int worker) {
    Binding binding = bindings.get(request.session());
    if (binding != null) {
      binding.inFlight--;
      binding.idleSinceNanos = request.nowNanos();
    }
  }

  /** Forgets bindings that have run out; what stands behind a live one waits for it. */
  private void expire(long nowNanos) {
    Iterator<Binding> oldest = bindings.values().iterator();
    while (oldest.hasNext()) {
      Binding binding = oldest.next();
      if (alive(binding, nowNanos)) {
        return;
      }
      unbind(binding);
      oldest.remove();
    }
  }

  private void unbind(Binding binding) {
    if (binding.worker >= 0) {
      boundSessions[binding.worker]--;
    }
  }

  private boolean alive(Binding binding, long nowNanos) {
    return binding.inFlight > 0 || nowNanos - binding.idleSinceNanos < ttlNanos;
  }
}
