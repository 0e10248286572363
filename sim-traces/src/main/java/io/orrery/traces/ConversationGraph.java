package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
 * the file says how long the wait was, and it can have been so long: no wait for the turn before is
 * longer than the time since that one's receipt. A session that runs in the background is waited
 * for by nobody. Where a file says whose output called a session and who took its result, that
 * counts.
 */
final class ConversationGraph {
  /** Starts may have been rounded to so much. */
  private static final long TICK_NANOS = 1_000_000_000;

  private final TraceAssembler assembler;

  /** Recorded end by request, NO_TIME for none. */
  private final LongColumn ends = new LongColumn();

  /** Recorded waits after the turn before, NO_TIME for none. */
  private final SparseColumn waits = new SparseColumn(Trace.NO_TIME);

  private final BitSet background = new BitSet();

  /** Who called a session and who took its result, where the file says so. */
  private final Map<Integer, Call> calls = new HashMap<>();

  /**
   * A call.
   *
   * @param by the request whose output called the session
   * @param result the request that took the result, -1 for none
   */
  private record Call(int by, int result) {}

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

  /**
   * Says which request's output called a session, and which request took its result.
   *
   * @param result -1 for none
   */
  void called(int session, int by, int result) {
    calls.put(session, new Call(by, result));
  }

  /** Adds all edges. */
  void connect() {
    SessionsByTime sessions = new SessionsByTime(assembler);
    IntColumn parents = assembler.sessions.parents();
    assembler.sessions.roots(parents);
    LongColumn waitsUntil = LongColumn.filled(ends.size(), Trace.NO_TIME);
    IntColumn joins = new IntColumn();
    for (int s = 0; s < parents.size(); s++) {
      int join = parents.get(s) < 0 ? -1 : connectChild(sessions, s, parents.get(s));
      joins.add(join);
      if (join >= 0) {
        waitsUntil.set(join, Math.max(waitsUntil.get(join), sessionEnd(sessions, s)));
      }
    }
    for (int s = 0; s < parents.size(); s++) {
      for (int i = sessions.start(s) + 1; i < sessions.end(s); i++) {
        int request = sessions.request(i);
        connectTurn(sessions.request(i - 1), request, waitsUntil.get(request));
      }
    }
    for (int s = 0; s < parents.size(); s++) {
      int join = joins.get(s);
      if (join >= 0) {
        long gap = gapTo(join, waitsUntil.get(join));
        assembler.edge(join, sessions.last(s), EdgeTrigger.COMPLETION, gap);
      }
    }
  }

  private void connectTurn(int before, int request, long joinedEnd) {
    long end = Math.max(ends.get(before), joinedEnd);
    long wait = waits.get(request);
    long apart = assembler.arrival.get(request) - assembler.arrival.get(before);
    if (wait != Trace.NO_TIME && joinedEnd == Trace.NO_TIME) {
      if (wait - apart < TICK_NANOS) {
        assembler.edge(request, before, EdgeTrigger.COMPLETION, wait);
        return;
      }
      assembler.countAt(TraceFindings.LONGER_THAN_APART, request);
    }
    if (end == Trace.NO_TIME) {
      assembler.countAt(TraceFindings.START_TO_START, request);
      assembler.edge(request, before, EdgeTrigger.DISPATCH, apart);
    } else if (ends.get(before) > assembler.arrival.get(request)) {
      assembler.countAt(
          "requests received before the turn before them had ended; they wait for it", request);
    }
    assembler.edge(request, before, EdgeTrigger.COMPLETION, gapTo(request, end));
  }

  /**
   * Lets a child session wait for its parent; returns the parent's request that waits for the
   * child, -1 for none.
   */
  private int connectChild(SessionsByTime sessions, int child, int parent) {
    int first = sessions.request(sessions.start(child));
    long start = assembler.arrival.get(first);
    Call call = callOf(child, parent, start);
    int ended = -1;
    int received = -1;
    int next = -1;
    for (int i = sessions.start(parent); i < sessions.end(parent); i++) {
      int request = sessions.request(i);
      if (assembler.arrival.get(request) > start) {
        next = next < 0 ? request : next;
      } else if (call == null || request == call.by()) {
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
      assembler.countAt("child sessions that start before their parent", first);
      return -1;
    }
    int join = call != null && call.result() >= 0 ? call.result() : awaiting(sessions, child, next);
    if (join < 0) {
      assembler.countAt("child sessions that nobody waits for", first);
    }
    return join;
  }

  /** The parent's next request, if it waited for the child; else -1. */
  private int awaiting(SessionsByTime sessions, int child, int next) {
    long childEnd = sessionEnd(sessions, child);
    boolean waits =
        next >= 0
            && !background.get(child)
            && childEnd != Trace.NO_TIME
            && assembler.arrival.get(next) >= childEnd;
    return waits ? next : -1;
  }

  /**
   * The call of a child, if it can have been one: by its parent, before it, and then its result.
   */
  private @Nullable Call callOf(int child, int parent, long start) {
    Call call = calls.get(child);
    if (call == null) {
      return null;
    }
    boolean before =
        assembler.session.get(call.by()) == parent && assembler.arrival.get(call.by()) <= start;
    boolean after =
        call.result() < 0
            || (assembler.session.get(call.result()) == parent
                && assembler.arrival.get(call.result()) > start);
    if (before && after) {
      return call;
    }
    assembler.countAt("calls of child sessions by requests that cannot have made them", call.by());
    return null;
  }

  /** The latest recorded end of the session's requests; NO_TIME where its last request has none. */
  private long sessionEnd(SessionsByTime sessions, int session) {
    long end = Trace.NO_TIME;
    for (int i = sessions.start(session); i < sessions.end(session); i++) {
      end = Math.max(end, ends.get(sessions.request(i)));
    }
    return ends.get(sessions.last(session)) == Trace.NO_TIME ? Trace.NO_TIME : end;
  }

  private long gapTo(int request, long end) {
    return end == Trace.NO_TIME ? 0 : Math.max(0, assembler.arrival.get(request) - end);
  }
}
