package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;
import java.util.Arrays;

/**
 * What became of each session; sessions of recycled copies of the trace count separately. Indices
 * are those of {@link RunFacts#session}. Complete when every row has been taken in.
 */
public final class SessionFacts {
  private static final long NONE = Long.MAX_VALUE;

  private final RunFacts run;
  private final Trace trace;
  private final RunColumns columns;
  private final long[] started;
  private final long[] ended;
  private final long[] inputTokens;
  private final long[] hitTokens;
  private final boolean[] open;

  SessionFacts(RunFacts run) {
    this.run = run;
    trace = run.trace();
    columns = run.columns();
    int copies = trace.requestCount() == 0 ? 0 : columns.rows() / trace.requestCount();
    int sessions = copies * trace.sessionCount();
    started = new long[sessions];
    ended = new long[sessions];
    inputTokens = new long[sessions];
    hitTokens = new long[sessions];
    open = new boolean[sessions];
    Arrays.fill(started, NONE);
  }

  /** Takes in a request that was sent. */
  void row(int row) {
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

  /** Sessions of all copies, whether or not they were started. */
  public int count() {
    return started.length;
  }

  /** Whether a request of the session was sent. */
  public boolean started(int session) {
    return started[session] != NONE;
  }

  /** Whether the session was started and all of its requests have ended. */
  public boolean completed(int session) {
    int s = session % trace.sessionCount();
    int last = trace.request(s, trace.requestCount(s) - 1);
    return started(session)
        && !open[session]
        && columns.dispatched(session / trace.sessionCount() * trace.requestCount() + last);
  }

  /** When its first request was sent. */
  public long startNanos(int session) {
    return started[session];
  }

  /** When its last request so far ended. */
  public long endNanos(int session) {
    return ended[session];
  }

  /** Input tokens of its requests that were taken into a step. */
  public long inputTokens(int session) {
    return inputTokens[session];
  }

  /** Of these, the reused ones. */
  public long hitTokens(int session) {
    return hitTokens[session];
  }

  /** The root of the session's tree, in the same copy. */
  public int root(int session) {
    int s = session % trace.sessionCount();
    return session - s + trace.rootSession(s);
  }
}
