package io.orrery.traces;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Puts all times of a session tree on the root session's clock.
 *
 * <p>Inner times of a sub-agent are either on its parent's clock or relative to the sub-agent's
 * start; told marker by marker: they are on the parent's clock if the first of them does not
 * precede the marker, or agrees with marker − duration. The marker itself stands at the sub-agent's
 * <em>end</em> where the parent waited for the result (that is when the result was logged: in the
 * public corpus, marker − duration follows the parent's last response within the second that its
 * times are floored to, for every completed sub-agent), and at its start where the parent was still
 * busy at marker − duration, or where no duration is known.
 */
final class WekaTimes {
  /** Times of requests are floored to whole seconds. */
  static final long FLOOR_NANOS = 1_000_000_000;

  private final TraceAssembler assembler;

  WekaTimes(TraceAssembler assembler) {
    this.assembler = assembler;
  }

  /**
   * Resolves the tree and sorts requests by start; sub-agents without requests are dropped and
   * counted.
   */
  void resolve(WekaSession session) {
    for (WekaSession.SubAgent agent : session.subAgents) {
      boolean atEnd = standsAtEnd(session, agent);
      if (atEnd) {
        assembler.countNote("sub-agent markers that stand at the sub-agent's end");
      }
      long earliest = earliestInside(agent.inside);
      if (earliest != Long.MAX_VALUE) {
        resolveBasis(agent, atEnd ? agent.t - agent.duration : agent.t, earliest);
      }
      resolve(agent.inside);
      setEnd(agent, atEnd);
    }
    hoist(session);
    sort(session);
  }

  private void resolveBasis(WekaSession.SubAgent agent, long start, long earliest) {
    boolean afterMarker = earliest >= agent.t;
    boolean atStart =
        agent.duration != Trace.NO_TIME
            && Math.abs(earliest - (agent.t - agent.duration)) <= 2 * FLOOR_NANOS;
    if (earliest > 0 && (afterMarker || atStart)) {
      assembler.countNote("sub-agents with times on their parent's clock");
    } else {
      assembler.countNote("sub-agents with times relative to their own start");
      agent.inside.shiftOwn(start);
    }
  }

  private static boolean standsAtEnd(WekaSession parent, WekaSession.SubAgent agent) {
    if (agent.background || agent.duration == Trace.NO_TIME || agent.duration > agent.t) {
      return false;
    }
    if (agent.position == 0) {
      return true;
    }
    WekaSession.Request before = parent.requests.get(agent.position - 1);
    return Math.max(before.t, before.end()) <= agent.t - agent.duration + FLOOR_NANOS;
  }

  private static void setEnd(WekaSession.SubAgent agent, boolean atEnd) {
    if (atEnd) {
      agent.end = agent.t;
    } else if (agent.duration != Trace.NO_TIME) {
      agent.end = agent.t + agent.duration;
    } else {
      agent.end = agent.inside.latestEnd();
      agent.endOpen = agent.inside.lastEndOpen();
    }
  }

  private static long earliestInside(WekaSession inside) {
    long first = Long.MAX_VALUE;
    for (WekaSession.Request request : inside.requests) {
      first = Math.min(first, request.t);
    }
    return first;
  }

  /** A sub-agent that recorded no request of its own leaves its place to its own sub-agents. */
  private void hoist(WekaSession session) {
    List<WekaSession.SubAgent> kept = new ArrayList<>();
    for (WekaSession.SubAgent agent : session.subAgents) {
      if (agent.inside.requests.isEmpty()) {
        assembler.count("sub-agents without recorded requests, left out");
        kept.addAll(agent.inside.subAgents);
      } else {
        kept.add(agent);
      }
    }
    session.subAgents.clear();
    session.subAgents.addAll(kept);
  }

  private void sort(WekaSession session) {
    long latest = 0;
    boolean sorted = true;
    for (WekaSession.Request request : session.requests) {
      if (request.t < latest) {
        sorted = false;
        assembler.count("requests out of time order in their session, sorted");
      }
      latest = Math.max(latest, request.t);
    }
    if (!sorted) {
      session.requests.sort(Comparator.comparingLong(request -> request.t));
    }
  }
}
