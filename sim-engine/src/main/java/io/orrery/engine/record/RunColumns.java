package io.orrery.engine.record;

import io.orrery.engine.RequestState;
import io.orrery.traces.columns.ByteColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row for every request of the run, in columns. Row {@code copy · n + r} is request {@code r}
 * of the trace's {@code n}, in its {@code copy}-th recycling. Times are nanoseconds of simulated
 * time, {@link #NO_TIME} where there is none.
 *
 * <p>Some 60 bytes a row, in columns that leave the heap where they are big. What a run does not
 * use takes no space: a stage without a time of its own, a class of the ledger without tokens.
 */
public final class RunColumns {
  /** No such moment. */
  public static final long NO_TIME = -1;

  private static final RequestState[] STATES = RequestState.values();

  private final int requestsPerCopy;
  private int rows;
  private final ByteColumn state = new ByteColumn();
  private final CountColumn worker = new CountColumn(-1);
  private final LongColumn arrival = new LongColumn();

  // Times since the arrival, and since the first schedule where there is one.
  private final GapColumn scheduled = new GapColumn();
  private final GapColumn firstToken = new GapColumn();
  private final GapColumn secondToken = new GapColumn();
  private final GapColumn end = new GapColumn();

  // Times since the arrival; null where all rows have that of the stage before.
  private @Nullable GapColumn admitted;
  private @Nullable GapColumn placed;
  private @Nullable GapColumn queued;
  private final CountColumn outputs = new CountColumn(0);
  private final CountColumn clipped = new CountColumn(0);
  private final CountColumn preemptions = new CountColumn(0);
  private final CountColumn redo = new CountColumn(0);
  private final CountColumn believed = new CountColumn(-1);
  private final CountColumn overruled = new CountColumn(-1);
  private final CountColumn holdReason = new CountColumn(-1);
  private final CountColumn[] ledger = new CountColumn[LedgerClass.values().length];

  /**
   * @param requestsPerCopy requests of the trace
   */
  public RunColumns(int requestsPerCopy) {
    this.requestsPerCopy = requestsPerCopy;
    Arrays.setAll(ledger, kind -> new CountColumn(0));
    ensure(requestsPerCopy);
  }

  /** Makes room for {@code count} rows. */
  public void ensure(int count) {
    if (count <= rows) {
      return;
    }
    for (int row = rows; row < count; row++) {
      state.add((byte) 0);
    }
    rows = count;
    arrival.addRepeated(NO_TIME, count - arrival.size());
    Stream.of(scheduled, firstToken, secondToken, end, admitted, placed, queued)
        .filter(Objects::nonNull)
        .forEach(column -> column.ensure(count));
    Stream.of(worker, outputs, clipped, preemptions, redo, believed, overruled, holdReason)
        .forEach(column -> column.ensure(count));
    for (CountColumn kind : ledger) {
      kind.ensure(count);
    }
  }

  /** Rows, whether or not their request was ever sent. */
  public int rows() {
    return rows;
  }

  /** The trace's request of a row. */
  public int request(int row) {
    return row < requestsPerCopy ? row : row % requestsPerCopy;
  }

  /** Which recycling of the trace a row belongs to, from 0. */
  public int copy(int row) {
    return row < requestsPerCopy ? 0 : row / requestsPerCopy;
  }

  /** Whether the request was sent. */
  public boolean dispatched(int row) {
    return arrival.get(row) != NO_TIME;
  }

  public RequestState state(int row) {
    return STATES[state.get(row)];
  }

  public void setState(int row, RequestState value) {
    state.set(row, (byte) value.ordinal());
  }

  /** Where it was placed, or -1. */
  public int worker(int row) {
    return worker.get(row);
  }

  /** When the client sent it. */
  public long arrivalNanos(int row) {
    return arrival.get(row);
  }

  /**
   * When admission let it go on to the router: with its arrival, if there is no admission. {@link
   * #NO_TIME} if it was refused or still waits.
   */
  public long admittedNanos(int row) {
    return admitted == null ? arrival.get(row) : after(arrival.get(row), admitted.get(row));
  }

  /** Number of the reason in {@link AdmissionLog#reason} for which it was held back, or -1. */
  public int holdReason(int row) {
    return holdReason.get(row);
  }

  /** The worker that the router chose: another than {@link #worker} if admission overruled it. */
  public int routerChoice(int row) {
    int choice = overruled.get(row);
    return choice < 0 ? worker.get(row) : choice;
  }

  /** When the router placed it. */
  public long placedNanos(int row) {
    if (placed != null) {
      return after(arrival.get(row), placed.get(row));
    }
    return worker.get(row) < 0 ? NO_TIME : arrival.get(row);
  }

  /** When its worker's scheduler saw it, after the host's time for a request. */
  public long queuedNanos(int row) {
    if (queued != null) {
      return after(arrival.get(row), queued.get(row));
    }
    return state(row) == RequestState.ROUTED ? NO_TIME : placedNanos(row);
  }

  /** When it was first scheduled into a step. */
  public long scheduledNanos(int row) {
    return after(arrival.get(row), scheduled.get(row));
  }

  /** The end of the step that gave its first output token. */
  public long firstTokenNanos(int row) {
    return after(begun(row), firstToken.get(row));
  }

  public long secondTokenNanos(int row) {
    return after(begun(row), secondToken.get(row));
  }

  /** When it ended: with its last token, or refused. */
  public long endNanos(int row) {
    return after(begun(row), end.get(row));
  }

  /** When it was first scheduled, or sent if it was not. */
  private long begun(int row) {
    return arrival.get(row) + Math.max(0, scheduled.get(row));
  }

  private static long after(long begin, long gap) {
    return gap == GapColumn.NONE ? NO_TIME : begin + gap;
  }

  /** Output tokens it got. */
  public int outputTokens(int row) {
    return outputs.get(row);
  }

  /** Output tokens of the trace that it could not get because the model's length was reached. */
  public int clippedTokens(int row) {
    return clipped.get(row);
  }

  public int preemptions(int row) {
    return preemptions.get(row);
  }

  /** Tokens computed again after preemptions. */
  public int redoTokens(int row) {
    return redo.get(row);
  }

  /** Leading input tokens that the router believed its worker to hold, or -1 if it did not ask. */
  public int believedTokens(int row) {
    return believed.get(row);
  }

  /** Input tokens of a row in a class. */
  public int ledger(LedgerClass kind, int row) {
    return ledger[kind.ordinal()].get(row);
  }

  /** Input tokens of all rows in a class. */
  public long ledgerTokens(LedgerClass kind) {
    return ledger[kind.ordinal()].sum();
  }

  public void arrived(int row, long nanos) {
    arrival.set(row, nanos);
  }

  /** There is an admission policy: no request goes on before {@link #admitted} says so. */
  public void admissionDecides() {
    admitted = new GapColumn();
    admitted.ensure(rows);
  }

  public void admitted(int row, long nanos) {
    Objects.requireNonNull(admitted).set(row, nanos - arrival.get(row));
  }

  /** Admission holds it back, for the reason of this number. */
  public void held(int row, byte reason) {
    holdReason.set(row, reason);
    setState(row, RequestState.PAUSED);
  }

  /** The router chose this worker, and admission another. */
  public void overruled(int row, int routerChoice) {
    overruled.set(row, routerChoice);
  }

  public void placed(int row, int onWorker, long nanos, int believedTokens) {
    GapColumn own = placed;
    if (own == null && nanos != arrival.get(row)) {
      own = column(this::placedNanos);
      placed = own;
    }
    worker.set(row, onWorker);
    if (own != null) {
      own.set(row, nanos - arrival.get(row));
    }
    believed.set(row, believedTokens);
  }

  public void queued(int row, long nanos) {
    GapColumn own = queued;
    if (own == null && nanos != placedNanos(row)) {
      own = column(this::queuedNanos);
      queued = own;
    }
    if (own != null) {
      own.set(row, nanos - arrival.get(row));
    }
  }

  /** A column of times as they have been so far, when one row's differs from the stage before. */
  private GapColumn column(IntToLongFunction nanos) {
    GapColumn column = new GapColumn();
    column.ensure(rows);
    for (int row = 0; row < rows; row++) {
      long time = nanos.applyAsLong(row);
      if (time != NO_TIME) {
        column.set(row, time - arrival.get(row));
      }
    }
    return column;
  }

  public void scheduled(int row, long nanos) {
    scheduled.set(row, nanos - arrival.get(row));
  }

  public void firstToken(int row, long nanos) {
    firstToken.set(row, nanos - begun(row));
  }

  public void secondToken(int row, long nanos) {
    secondToken.set(row, nanos - begun(row));
  }

  public void ended(int row, RequestState how, long nanos) {
    setState(row, how);
    end.set(row, nanos - begun(row));
  }

  public void outputs(int row, int tokens) {
    outputs.set(row, tokens);
  }

  public void clipped(int row, int tokens) {
    clipped.set(row, tokens);
  }

  public void preempted(int row) {
    preemptions.increase(row, 1);
  }

  public void redone(int row, int tokens) {
    redo.increase(row, tokens);
  }

  public void charge(LedgerClass kind, int row, int tokens) {
    if (tokens != 0) {
      ledger[kind.ordinal()].increase(row, tokens);
    }
  }
}
