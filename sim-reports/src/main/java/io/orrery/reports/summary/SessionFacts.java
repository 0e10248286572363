package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;
import java.util.Arrays;

/**
 * What became of each session; sessions of recycled copies of the trace count separately. Indices
 * are those of {@link RunFacts#session}.
 */
final class SessionFacts {
  private static final long NONE = Long.MAX_VALUE;

  private final Trace trace;
  private final long[] started;
  private final long[] ended;
  private final long[] inputTokens;
  private final long[] hitTokens;
  private final boolean[] open;

  SessionFacts(RunFacts run) {
    trace = run.trace();
    RunColumns columns = run.columns();
    int sessions = columns.rows() / Math.max(1, trace.requestCount()) * trace.sessionCount();
    started = new long[sessions];
    ended = new long[sessions];
    inputTokens = new long[sessions];
    hitTokens = new long[sessions];
    open = new boolean[sessions];
    Arrays.fill(started, NONE);
    for (int row = 0; row < columns.rows(); row++) {
      if (!columns.dispatched(row)) {
        continue;
      }
      int session = run.session(row);
      started[session] = Math.min(started[session], columns.arrivalNanos(row));
      if (columns.state(row).isTerminal()) {
        ended[session] = Math.max(ended[session], columns.endNanos(row));
      } else {
        open[session] = true;
      }
      if (run.admitted(row)) {
        inputTokens[session] += run.inputTokens(row);
        hitTokens[session] += run.hitTokens(row);
      }
    }
    for (int session = 0; session < sessions; session++) {
      int s = session % trace.sessionCount();
      int lastRow =
          session / trace.sessionCount() * trace.requestCount()
              + trace.request(s, trace.requestCount(s) - 1);
      open[session] |= started(session) && !columns.dispatched(lastRow);
    }
  }

  /** Sessions of all copies, whether or not they were started. */
  int count() {
    return started.length;
  }

  /** Whether a request of the session was sent. */
  boolean started(int session) {
    return started[session] != NONE;
  }

  /** Whether the session was started and all of its requests have ended. */
  boolean completed(int session) {
    return started(session) && !open[session];
  }

  /** When its first request was sent. */
  long startNanos(int session) {
    return started[session];
  }

  /** When its last request so far ended. */
  long endNanos(int session) {
    return ended[session];
  }

  /** Input tokens of its requests that were taken into a step. */
  long inputTokens(int session) {
    return inputTokens[session];
  }

  /** Of these, the reused ones. */
  long hitTokens(int session) {
    return hitTokens[session];
  }

  /** The root of the session's tree, in the same copy. */
  int root(int session) {
    int s = session % trace.sessionCount();
    return session - s + trace.rootSession(s);
  }
}
