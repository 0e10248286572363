package io.orrery.traces.synthesis;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Fits what sessions start other sessions; those deeper down count as their root session's. */
final class FanOutFit {
  private final Trace trace;
  private final List<int[]> children = new ArrayList<>();

  /** By root session, how many sessions each request starts. */
  private final Map<Integer, Map<Integer, Integer>> started = new HashMap<>();

  private final Samples startWait = new Samples();
  private int fromDispatch;
  private int joined;

  FanOutFit(Trace trace) {
    this.trace = trace;
  }

  /** A session that another one started. */
  void add(int session, int[] requests) {
    children.add(requests);
    int parent = trace.parentSession(session);
    int launcher = trace.firstRequest(parent);
    long wait = 0;
    int first = requests[0];
    for (int e = trace.edgeStart(first); e < trace.edgeEnd(first); e++) {
      if (trace.session(trace.edgeFrom(e)) == parent) {
        launcher = trace.edgeFrom(e);
        wait = trace.edgeDelayNanos(e);
        fromDispatch += trace.edgeTrigger(e) == EdgeTrigger.DISPATCH ? 1 : 0;
      }
    }
    startWait.add(wait);
    started
        .computeIfAbsent(trace.rootSession(session), root -> new TreeMap<>())
        .merge(launcher, 1, Integer::sum);
    joined += isJoined(parent, session) ? 1 : 0;
  }

  private boolean isJoined(int parent, int child) {
    for (int turn = 1; turn < trace.requestCount(parent); turn++) {
      int r = trace.request(parent, turn);
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        if (trace.session(trace.edgeFrom(e)) == child) {
          return true;
        }
      }
    }
    return false;
  }

  boolean starts(int root) {
    return started.containsKey(root);
  }

  @Nullable FanOut fanOut() {
    if (children.isEmpty()) {
      return null;
    }
    Samples launches = new Samples();
    Samples width = new Samples();
    for (int root : started.keySet().stream().sorted().toList()) {
      Map<Integer, Integer> byRequest = started.getOrDefault(root, Map.of());
      launches.add(byRequest.size());
      byRequest.values().forEach(width::add);
    }
    return new FanOut(
        launches.some(),
        width.some(),
        startWait.some(),
        (double) fromDispatch / children.size(),
        (double) joined / children.size(),
        new ShapeFit(trace, false, children).shape(new boolean[children.size()]));
  }
}
