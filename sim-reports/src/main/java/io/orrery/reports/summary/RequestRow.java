package io.orrery.reports.summary;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;

/**
 * One request of a run: what the run's columns and the trace say of it, read once however many
 * metrics ask. Moved from row to row; used by one thread.
 */
public final class RequestRow {
  private final RunColumns columns;
  private final Trace trace;
  private int row;
  private int request;
  private int copy;
  private int session;
  private int inputTokens;
  private int outputTokens;
  private int hitTokens;
  private int worker;
  private RequestState state = RequestState.TO_ARRIVE;
  private long arrivalNanos;
  private long placedNanos;
  private long queuedNanos;
  private long scheduledNanos;
  private long firstTokenNanos;
  private long endNanos;

  RequestRow(RunFacts run) {
    columns = run.columns();
    trace = run.trace();
  }

  /** Looks at another row, of a request that was sent. */
  public void moveTo(int newRow) {
    row = newRow;
    request = columns.request(row);
    copy = columns.copy(row);
    session = copy * trace.sessionCount() + trace.session(request);
    inputTokens = trace.inputTokens(request);
    outputTokens = columns.outputTokens(row);
    hitTokens =
        columns.ledger(LedgerClass.HIT_DEVICE, row)
            + columns.ledger(LedgerClass.HIT_HOST, row)
            + columns.ledger(LedgerClass.HIT_DISK, row)
            + columns.ledger(LedgerClass.HIT_SHARED, row);
    worker = columns.worker(row);
    state = columns.state(row);
    arrivalNanos = columns.arrivalNanos(row);
    placedNanos = columns.placedNanos(row);
    queuedNanos = columns.queuedNanos(row);
    scheduledNanos = columns.scheduledNanos(row);
    firstTokenNanos = columns.firstTokenNanos(row);
    endNanos = columns.endNanos(row);
  }

  /** Its row in the columns. */
  public int row() {
    return row;
  }

  /** Its number in the trace. */
  public int request() {
    return request;
  }

  /** Which recycling of the trace it belongs to, from 0. */
  public int copy() {
    return copy;
  }

  /** Where its session stands among those of all copies of the trace. */
  public int session() {
    return session;
  }

  /** Its place in its session, from 0. */
  public int turn() {
    return trace.turn(request);
  }

  public int inputTokens() {
    return inputTokens;
  }

  /** Output tokens that it got. */
  public int outputTokens() {
    return outputTokens;
  }

  /** Input tokens that were reused from any tier. */
  public int hitTokens() {
    return hitTokens;
  }

  /** Input tokens in a class of the ledger. */
  public int ledger(LedgerClass kind) {
    return columns.ledger(kind, row);
  }

  /** Where it was placed, or -1. */
  public int worker() {
    return worker;
  }

  public RequestState state() {
    return state;
  }

  public boolean finished() {
    return state == RequestState.FINISHED;
  }

  /** Whether it came into a step, so that its input has been charged. */
  public boolean inStep() {
    return scheduledNanos != RunColumns.NO_TIME;
  }

  /** When the client sent it. */
  public long arrivalNanos() {
    return arrivalNanos;
  }

  /** When the router placed it, or {@link RunColumns#NO_TIME}. */
  public long placedNanos() {
    return placedNanos;
  }

  /** When its worker's scheduler saw it, or {@link RunColumns#NO_TIME}. */
  public long queuedNanos() {
    return queuedNanos;
  }

  /** When it first came into a step, or {@link RunColumns#NO_TIME}. */
  public long scheduledNanos() {
    return scheduledNanos;
  }

  /** Whether it got a first token. */
  public boolean hasFirstToken() {
    return firstTokenNanos != RunColumns.NO_TIME;
  }

  /** The end of the step that gave its first token, or {@link RunColumns#NO_TIME}. */
  public long firstTokenNanos() {
    return firstTokenNanos;
  }

  /** Time to first token; it must have one. */
  public long ttftNanos() {
    return firstTokenNanos - arrivalNanos;
  }

  /** When it ended, or {@link RunColumns#NO_TIME}. */
  public long endNanos() {
    return endNanos;
  }
}
