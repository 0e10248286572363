package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.LongColumn;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What became of each session; sessions of recycled copies of the trace count separately. Indices
 * are those of {@link RunFacts#session}. Complete when every row has been taken in.
 */
public final class SessionFacts {
  private static final long NONE = Long.MAX_VALUE;

  private final Trace trace;
  private final RunColumns columns;
  private final int count;
  private final LongColumn started;
  private final LongColumn ended;
  private final LongColumn inputTokens;
  private final LongColumn hitTokens;

  /** Input tokens without identity; null where all have one. */
  private @Nullable LongColumn unidentified;

  /** Sessions with an identified block. */
  private final BitSet anyBlock = new BitSet();

  private final BitSet open = new BitSet();
  private @Nullable BitSet completed;

  SessionFacts(RunFacts run) {
    trace = run.trace();
    columns = run.columns();
    int copies = trace.requestCount() == 0 ? 0 : columns.rows() / trace.requestCount();
    count = copies * trace.sessionCount();
    started = LongColumn.filled(count, NONE);
    ended = LongColumn.filled(count, 0);
    inputTokens = LongColumn.filled(count, 0);
    hitTokens = LongColumn.filled(count, 0);
  }

  /** Takes in a request that was sent. */
  void row(RequestRow row) {
    int session = row.session();
    started.set(session, Math.min(started.get(session), row.arrivalNanos()));
    if (row.state().isTerminal()) {
      ended.set(session, Math.max(ended.get(session), row.endNanos()));
    } else {
      open.set(session);
    }
    if (row.inStep()) {
      inputTokens.increase(session, row.inputTokens());
      hitTokens.increase(session, row.hitTokens());
      if (trace.identifiedBlocks(row.request()) > 0) {
        anyBlock.set(session);
      }
      int unknown = trace.unidentifiedTokens(row.request());
      if (unknown > 0) {
        unidentified(session, unknown);
      }
    }
  }

  /** Every row has been taken in. */
  void complete() {
    completed = allCompleted();
  }

  private void unidentified(int session, int tokens) {
    LongColumn counts = unidentified;
    if (counts == null) {
      counts = LongColumn.filled(count, 0);
      unidentified = counts;
    }
    counts.increase(session, tokens);
  }

  /** Sessions of all copies, whether or not they were started. */
  public int count() {
    return count;
  }

  /** Whether a request of the session was sent. */
  public boolean started(int session) {
    return started.get(session) != NONE;
  }

  /** Whether the session was started and all of its requests have ended. */
  public boolean completed(int session) {
    BitSet known = completed;
    if (known == null) {
      known = allCompleted();
      completed = known;
    }
    return known.get(session);
  }

  private BitSet allCompleted() {
    BitSet those = new BitSet();
    for (int first = 0; first < count; first += trace.sessionCount()) {
      int firstRow = first / trace.sessionCount() * trace.requestCount();
      for (int s = 0; s < trace.sessionCount(); s++) {
        if (started(first + s) && !open.get(first + s)) {
          int last = trace.request(s, trace.requestCount(s) - 1);
          those.set(first + s, columns.dispatched(firstRow + last));
        }
      }
    }
    return those;
  }

  /** When its first request was sent. */
  public long startNanos(int session) {
    return started.get(session);
  }

  /** When its last request so far ended. */
  public long endNanos(int session) {
    return ended.get(session);
  }

  /** Input tokens of its requests that were taken into a step. */
  public long inputTokens(int session) {
    return inputTokens.get(session);
  }

  /** Of these, the reused ones. */
  public long hitTokens(int session) {
    return hitTokens.get(session);
  }

  /**
   * The reused share of the session's known input, see {@link KnownTokens}; NaN where nothing is
   * known, or nothing was taken into a step.
   */
  public double hitRate(int session) {
    long unknown = unidentified == null ? 0 : unidentified.get(session);
    long known = unknown == 0 || anyBlock.get(session) ? inputTokens.get(session) - unknown : 0;
    return known == 0 ? Double.NaN : (double) hitTokens.get(session) / known;
  }

  /** The root of the session's tree, in the same copy. */
  public int root(int session) {
    int s = session % trace.sessionCount();
    return session - s + trace.rootSession(s);
  }
}
