package io.orrery.engine.cluster;

import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;

/** A trace's edges by the request they come from. */
final class Successors {
  private final IntColumn start;
  private final IntColumn edges;
  private final IntColumn requests;

  Successors(Trace trace) {
    int n = trace.requestCount();
    start = IntColumn.filled(n + 1, 0);
    int count = 0;
    for (int r = 0; r < n; r++) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        start.increase(trace.edgeFrom(e) + 1, 1);
        count++;
      }
    }
    for (int r = 0; r < n; r++) {
      start.increase(r + 1, start.get(r));
    }
    edges = IntColumn.filled(count, 0);
    requests = IntColumn.filled(count, 0);
    IntColumn at = start.copy();
    for (int r = 0; r < n; r++) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        int i = at.get(trace.edgeFrom(e));
        at.set(trace.edgeFrom(e), i + 1);
        edges.set(i, e);
        requests.set(i, r);
      }
    }
    at.release();
  }

  int start(int request) {
    return start.get(request);
  }

  int end(int request) {
    return start.get(request + 1);
  }

  int edge(int i) {
    return edges.get(i);
  }

  /** The request that waits. */
  int request(int i) {
    return requests.get(i);
  }
}
