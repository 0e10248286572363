package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session on the worker that took its first request: NVIDIA Dynamo's session affinity
 * ({@code lib/llm/src/session_affinity/coordinator.rs}, 0bdea740). A session without a binding goes
 * to the least-loaded worker, of equal ones to that with the fewest sessions bound, then to the one
 * chosen longest ago, and is bound to it when the request has been placed there. The binding ends
 * {@code ttl} after the session's last request ended; a request in flight is a lease that keeps it
 * alive. When there are as many bindings as there may be, further sessions are not bound.
 *
 * <p>If the bound worker is no candidate, a soft binding moves to another worker; under a hard one
 * the request is refused, as Dynamo does with "pinned worker overloaded". Replicas of the router
 * that are synchronised take over one another's bindings; of two for one session the first to be
 * heard of stays.
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
                      + " half a percent of the waits inside Claude Code sessions."),
              Load.PARAMETER,
              PolicyParameter.choice(
                  "mode",
                  "soft",
                  List.of("soft", "hard"),
                  "What happens if the bound worker is no candidate: the session moves, or its request is refused."),
              PolicyParameter.choice(
                  "children",
                  "own",
                  List.of("own", "near-parent", "group"),
                  "A child session's binding: its own; its own, but first with its parent; one for all children of a"
                      + " parent."),
              PolicyParameter.choice(
                  "bindings",
                  "shared",
                  List.of("shared", "replica"),
                  "Whether synchronised replicas of the router take over one another's bindings, or each keeps its own."),
              PolicyParameter.number(
                  "mostBindings", "65536", 1, 1e9, "Bindings that may exist at once.")),
          SessionAffinity::new);

  private final long ttlNanos;
  private final boolean hard;
  private final String children;
  private final boolean shared;
  private final long mostBindings;
  private final Turns turns;
  private final Comparator<WorkerView> order;
  private final int[] boundSessions;

  /** Bindings by session, the one that was used longest ago first. */
  private final Map<Integer, Binding> bindings = new LinkedHashMap<>(64, 0.75f, true);

  private SessionAffinity(RoutingContext context) {
    ttlNanos = context.nanos("ttl");
    hard = context.text("mode").equals("hard");
    children = context.text("children");
    shared = context.text("bindings").equals("shared");
    mostBindings = (long) context.number("mostBindings");
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

  /** Sessions are numbered from 0; the children of session n are a group with the number −1 − n. */
  private int key(RoutedRequest request) {
    return children.equals("group") && request.parentSession() >= 0
        ? -1 - request.parentSession()
        : request.session();
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    expire(request.nowNanos());
    Binding binding = bindings.get(key(request));
    if (isAlive(binding, request.nowNanos())) {
      int bound = indexOf(binding, candidates);
      if (bound >= 0) {
        return bound;
      }
      if (hard) {
        return REFUSED;
      }
    } else if (children.equals("near-parent") && request.parentSession() >= 0) {
      Binding parent = bindings.get(request.parentSession());
      int near = isAlive(parent, request.nowNanos()) ? indexOf(parent, candidates) : -1;
      if (near >= 0) {
        return near;
      }
    }
    return Load.first(candidates, order);
  }

  private static int indexOf(@Nullable Binding binding, Candidates candidates) {
    for (int i = 0; binding != null && i < candidates.size(); i++) {
      if (candidates.get(i).id() == binding.worker) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    int key = key(request);
    Binding binding = bindings.get(key);
    if (binding == null) {
      if (bindings.size() >= mostBindings) {
        return;
      }
      binding = new Binding();
      bindings.put(key, binding);
    }
    if (binding.worker != worker) {
      unbind(binding);
      binding.worker = worker;
      boundSessions[worker]++;
      turns.placed(worker);
    }
    binding.inFlight++;
  }

  @Override
  public void placedElsewhere(RoutedRequest request, int worker) {
    if (!shared) {
      return;
    }
    Binding known = bindings.get(key(request));
    if (known != null && isAlive(known, request.nowNanos())) {
      known.inFlight++; // the first one stays
    } else {
      placed(request, worker);
    }
  }

  @Override
  public void endedElsewhere(RoutedRequest request, int worker) {
    if (shared) {
      ended(request, worker);
    }
  }

  @Override
  public void ended(RoutedRequest request, int worker) {
    Binding binding = bindings.get(key(request));
    if (binding != null) {
      binding.inFlight = Math.max(0, binding.inFlight - 1);
      binding.idleSinceNanos = request.nowNanos();
    }
  }

  /** Forgets bindings that have run out; what stands behind a live one waits for it. */
  private void expire(long nowNanos) {
    Iterator<Binding> oldest = bindings.values().iterator();
    while (oldest.hasNext()) {
      Binding binding = oldest.next();
      if (isAlive(binding, nowNanos)) {
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

  private boolean isAlive(@Nullable Binding binding, long nowNanos) {
    return binding != null
        && (binding.inFlight > 0 || nowNanos - binding.idleSinceNanos < ttlNanos);
  }
}
