package io.orrery.engine.cluster;

import io.orrery.traces.Trace;

/**
 * The requests of a trace by tree: a root session with all its descendants. Trees are numbered in
 * session order.
 */
final class SessionTrees {
  private final Trace trace;
  private final int[] roots;
  private final int[] treeOfSession;
  private final int[] start;
  private final int[] members;

  SessionTrees(Trace trace) {
    this.trace = trace;
    int sessions = trace.sessionCount();
    treeOfSession = new int[sessions];
    int count = 0;
    for (int s = 0; s < sessions; s++) {
      if (trace.parentSession(s) < 0) {
        treeOfSession[s] = count++;
      }
    }
    roots = new int[count];
    for (int s = 0; s < sessions; s++) {
      int root = trace.rootSession(s);
      treeOfSession[s] = treeOfSession[root];
      roots[treeOfSession[s]] = root;
    }
    start = new int[count + 1];
    for (int r = 0; r < trace.requestCount(); r++) {
      start[treeOf(r) + 1]++;
    }
    for (int i = 0; i < count; i++) {
      start[i + 1] += start[i];
    }
    members = new int[trace.requestCount()];
    int[] at = start.clone();
    for (int r = 0; r < trace.requestCount(); r++) {
      members[at[treeOf(r)]++] = r;
    }
  }

  int count() {
    return roots.length;
  }

  int rootSession(int tree) {
    return roots[tree];
  }

  /** The first request of the root session. */
  int firstRequest(int tree) {
    return trace.firstRequest(roots[tree]);
  }

  int treeOf(int request) {
    return treeOfSession[trace.session(request)];
  }

  int start(int tree) {
    return start[tree];
  }

  int end(int tree) {
    return start[tree + 1];
  }

  /** The {@code i}-th member, in the trace's order of requests within a tree. */
  int request(int i) {
    return members[i];
  }
}
