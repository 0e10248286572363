package io.orrery.engine.cluster;

import io.orrery.traces.Trace;

/** A trace's edges by the request they come from. */
final class Successors {
  private final int[] start;
  private final int[] edges;
  private final int[] requests;

  Successors(Trace trace) {
    int n = trace.requestCount();
    start = new int[n + 1];
    int count = 0;
    for (int r = 0; r < n; r++) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        start[trace.edgeFrom(e) + 1]++;
        count++;
      }
    }
    for (int r = 0; r < n; r++) {
      start[r + 1] += start[r];
    }
    edges = new int[count];
    requests = new int[count];
    int[] at = start.clone();
    for (int r = 0; r < n; r++) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        int i = at[trace.edgeFrom(e)]++;
        edges[i] = e;
        requests[i] = r;
      }
    }
  }

  int start(int request) {
    return start[request];
  }

  int end(int request) {
    return start[request + 1];
  }

  int edge(int i) {
    return edges[i];
  }

  /** The request that waits. */
  int request(int i) {
    return requests[i];
  }
}
