package io.orrery.engine.cluster;

import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;

/**
 * The requests of a trace by tree: a root session with all its descendants. Trees are numbered in
 * session order.
 */
final class SessionTrees {
  private final Trace trace;
  private final IntColumn roots = new IntColumn();
  private final IntColumn treeOfSession;
  private final IntColumn start;
  private final IntColumn members;

  SessionTrees(Trace trace) {
    this.trace = trace;
    int sessions = trace.sessionCount();
    treeOfSession = IntColumn.filled(sessions, 0);
    for (int s = 0; s < sessions; s++) {
      if (trace.parentSession(s) < 0) {
        treeOfSession.set(s, roots.size());
        roots.add(s);
      }
    }
    for (int s = 0; s < sessions; s++) {
      treeOfSession.set(s, treeOfSession.get(trace.rootSession(s)));
    }
    start = IntColumn.filled(roots.size() + 1, 0);
    for (int r = 0; r < trace.requestCount(); r++) {
      start.increase(treeOf(r) + 1, 1);
    }
    for (int i = 0; i < roots.size(); i++) {
      start.increase(i + 1, start.get(i));
    }
    members = IntColumn.filled(trace.requestCount(), 0);
    IntColumn at = start.copy();
    for (int r = 0; r < trace.requestCount(); r++) {
      int tree = treeOf(r);
      members.set(at.get(tree), r);
      at.increase(tree, 1);
    }
    at.release();
  }

  int count() {
    return roots.size();
  }

  int rootSession(int tree) {
    return roots.get(tree);
  }

  /** The first request of the root session. */
  int firstRequest(int tree) {
    return trace.firstRequest(roots.get(tree));
  }

  int treeOf(int request) {
    return treeOfSession.get(trace.session(request));
  }

  int start(int tree) {
    return start.get(tree);
  }

  int end(int tree) {
    return start.get(tree + 1);
  }

  /** The {@code i}-th member, in the trace's order of requests within a tree. */
  int request(int i) {
    return members.get(i);
  }
}
