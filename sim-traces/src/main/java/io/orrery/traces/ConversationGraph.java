package io.orrery.traces;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What waits for what where requests of sessions carry the times of their receipt and, mostly, of
 * their end, by the rules of Dynamo's own converter to agentic Mooncake:
 *
 * <ul>
 *   <li>requests of one session run in order of receipt;
 *   <li>a child session starts after the last parent request that had ended before the child's
 *       first receipt; where none had, as long after the dispatch of the last one received before
 *       it;
 *   <li>the parent's next request waits for the child if it was received after the child's end.
 * </ul>
 *
 * A gap is the time from the latest recorded end of what a request waits for to its receipt, unless
 * the file says how long the wait was. A session that runs in the background is waited for by
 * nobody.
 */
final class ConversationGraph {
  private final TraceAssembler assembler;

  /** Recorded end by request, NO_TIME for none. */
  private final LongColumn ends = new LongColumn();

  /** Recorded waits after the turn before, NO_TIME for none. */
  private final SparseColumn waits = new SparseColumn(Trace.NO_TIME);

  private final BitSet background = new BitSet();

  /** Requests of all sessions by receipt, session by session. */
  private int[] bySession = {};

  private int[] sessionStart = {};

  ConversationGraph(TraceAssembler assembler) {
    this.assembler = assembler;
  }

  /** Adds the next request. */
  void add(int request, long end) {
    if (request != ends.size()) {
      throw new IllegalStateException("requests come in order");
    }
    ends.add(end);
  }

  /** Says how long the request was recorded to wait after the turn before it. */
  void waitBefore(int request, long nanos) {
    waits.set(request, nanos);
  }

  /** Says that nobody waits for this session. */
  void background(int session) {
    background.set(session);
  }

  /** Adds all edges. */
  void connect() {
    sortIntoSessions();
    int[] parents = assembler.sessions.parents();
    assembler.sessions.roots(parents);
    int n = ends.size();
    long[] waitsUntil = new long[n];
    Arrays.fill(waitsUntil, Trace.NO_TIME);
    int[] join = new int[parents.length];
    for (int s = 0; s < parents.length; s++) {
      join[s] = parents[s] < 0 ? -1 : connectChild(s, parents[s]);
      if (join[s] >= 0) {
        waitsUntil[join[s]] = Math.max(waitsUntil[join[s]], sessionEnd(s));
      }
    }
    for (int s = 0; s < parents.length; s++) {
      for (int i = sessionStart[s] + 1; i < sessionStart[s + 1]; i++) {
        connectTurn(bySession[i - 1], bySession[i], waitsUntil[bySession[i]]);
      }
    }
    for (int s = 0; s < parents.length; s++) {
      if (join[s] >= 0) {
        int last = bySession[sessionStart[s + 1] - 1];
        assembler.edge(join[s], last, EdgeTrigger.COMPLETION, gapTo(join[s], waitsUntil[join[s]]));
      }
    }
  }

  private void sortIntoSessions() {
    int[] order = StableOrder.of(assembler.arrival.toArray());
    int sessions = assembler.sessions.count();
    sessionStart = new int[sessions + 1];
    for (int r : order) {
      sessionStart[assembler.session.get(r) + 1]++;
    }
    for (int s = 0; s < sessions; s++) {
      sessionStart[s + 1] += sessionStart[s];
    }
    int[] next = sessionStart.clone();
    bySession = new int[order.length];
    for (int r : order) {
      bySession[next[assembler.session.get(r)]++] = r;
    }
  }

  private void connectTurn(int before, int request, long joinedEnd) {
    long end = Math.max(ends.get(before), joinedEnd);
    long wait = waits.get(request);
    if (wait != Trace.NO_TIME && joinedEnd == Trace.NO_TIME) {
      assembler.edge(request, before, EdgeTrigger.COMPLETION, wait);
      return;
    }
    if (end == Trace.NO_TIME) {
      assembler.count("turns released by a start-to-start gap");
      assembler.edge(
          request,
          before,
          EdgeTrigger.DISPATCH,
          assembler.arrival.get(request) - assembler.arrival.get(before));
    } else if (ends.get(before) > assembler.arrival.get(request)) {
      assembler.count("requests received before the turn before them had ended; they wait for it");
    }
    assembler.edge(request, before, EdgeTrigger.COMPLETION, gapTo(request, end));
  }

  /**
   * Lets a child session wait for its parent; returns the parent's request that waits for the
   * child, -1 for none.
   */
  private int connectChild(int child, int parent) {
    int first = bySession[sessionStart[child]];
    long start = assembler.arrival.get(first);
    int ended = -1;
    int received = -1;
    int next = -1;
    for (int i = sessionStart[parent]; i < sessionStart[parent + 1]; i++) {
      int request = bySession[i];
      if (assembler.arrival.get(request) > start) {
        next = next < 0 ? request : next;
      } else {
        received = request;
        boolean has = ends.get(request) != Trace.NO_TIME && ends.get(request) <= start;
        ended = has ? request : ended;
      }
    }
    if (ended >= 0) {
      assembler.edge(first, ended, EdgeTrigger.COMPLETION, start - ends.get(ended));
    } else if (received >= 0) {
      assembler.edge(
          first, received, EdgeTrigger.DISPATCH, start - assembler.arrival.get(received));
    } else {
      assembler.count("child sessions that start before their parent");
      return -1;
    }
    long childEnd = sessionEnd(child);
    boolean joins =
        next >= 0
            && !background.get(child)
            && childEnd != Trace.NO_TIME
            && assembler.arrival.get(next) >= childEnd;
    if (!joins) {
      assembler.count("child sessions that nobody waits for");
    }
    return joins ? next : -1;
  }

  /** The latest recorded end of the session's requests; NO_TIME where its last request has none. */
  private long sessionEnd(int session) {
    long end = Trace.NO_TIME;
    for (int i = sessionStart[session]; i < sessionStart[session + 1]; i++) {
      end = Math.max(end, ends.get(bySession[i]));
    }
    return ends.get(bySession[sessionStart[session + 1] - 1]) == Trace.NO_TIME
        ? Trace.NO_TIME
        : end;
  }

  private long gapTo(int request, long end) {
    return end == Trace.NO_TIME ? 0 : Math.max(0, assembler.arrival.get(request) - end);
  }
}
