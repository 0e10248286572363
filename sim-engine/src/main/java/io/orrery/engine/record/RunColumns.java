package io.orrery.engine.record;

import io.orrery.engine.RequestState;
import java.util.Arrays;

/**
 * One row for every request of the run, in columns. Row {@code copy · n + r} is request {@code r}
 * of the trace's {@code n}, in its {@code copy}-th recycling. Times are nanoseconds of simulated
 * time, {@link #NO_TIME} where there is none.
 */
public final class RunColumns {
  /** No such moment. */
  public static final long NO_TIME = -1;

  private static final RequestState[] STATES = RequestState.values();

  private final int requestsPerCopy;
  private int rows;
  private byte[] state = {};
  private int[] worker = {};
  private long[] arrival = {};
  private long[] admitted = {};
  private long[] placed = {};
  private long[] queued = {};
  private long[] scheduled = {};
  private long[] firstToken = {};
  private long[] secondToken = {};
  private long[] end = {};
  private int[] outputs = {};
  private int[] clipped = {};
  private int[] preemptions = {};
  private int[] redo = {};
  private int[] believed = {};
  private int[] overruled = {};
  private byte[] holdReason = {};
  private final int[][] ledger = new int[LedgerClass.values().length][];

  /**
   * @param requestsPerCopy requests of the trace
   */
  public RunColumns(int requestsPerCopy) {
    this.requestsPerCopy = requestsPerCopy;
    Arrays.fill(ledger, new int[0]);
    ensure(requestsPerCopy);
  }

  /** Makes room for {@code count} rows. */
  public void ensure(int count) {
    if (count <= rows) {
      return;
    }
    int from = rows;
    rows = count;
    if (count > state.length) {
      int size = from == 0 ? count : Math.max(count, from * 2);
      state = Arrays.copyOf(state, size);
      worker = grow(worker, size, -1);
      arrival = grow(arrival, size);
      placed = grow(placed, size);
      if (queued.length > 0) {
        queued = grow(queued, size);
      }
      scheduled = grow(scheduled, size);
      firstToken = grow(firstToken, size);
      secondToken = grow(secondToken, size);
      end = grow(end, size);
      outputs = grow(outputs, size, 0);
      clipped = grow(clipped, size, 0);
      preemptions = grow(preemptions, size, 0);
      redo = grow(redo, size, 0);
      believed = grow(believed, size, -1);
      if (admitted.length > 0) {
        admitted = grow(admitted, size);
      }
      if (overruled.length > 0) {
        overruled = grow(overruled, size, -1);
      }
      if (holdReason.length > 0) {
        holdReason = Arrays.copyOf(holdReason, size);
      }
      for (int c = 0; c < ledger.length; c++) {
        if (ledger[c].length > 0) {
          ledger[c] = grow(ledger[c], size, 0);
        }
      }
    }
  }

  private static int[] grow(int[] column, int size, int filler) {
    int[] larger = Arrays.copyOf(column, size);
    Arrays.fill(larger, column.length, size, filler);
    return larger;
  }

  private static long[] grow(long[] column, int size) {
    long[] larger = Arrays.copyOf(column, size);
    Arrays.fill(larger, column.length, size, NO_TIME);
    return larger;
  }

  /** Rows, whether or not their request was ever sent. */
  public int rows() {
    return rows;
  }

  /** The trace's request of a row. */
  public int request(int row) {
    return row % requestsPerCopy;
  }

  /** Which recycling of the trace a row belongs to, from 0. */
  public int copy(int row) {
    return row / requestsPerCopy;
  }

  /** Whether the request was sent. */
  public boolean dispatched(int row) {
    return arrival[row] != NO_TIME;
  }

  public RequestState state(int row) {
    return STATES[state[row]];
  }

  public void setState(int row, RequestState value) {
    state[row] = (byte) value.ordinal();
  }

  /** Where it was placed, or -1. */
  public int worker(int row) {
    return worker[row];
  }

  /** When the client sent it. */
  public long arrivalNanos(int row) {
    return arrival[row];
  }

  /**
   * When admission let it go on to the router: with its arrival, if there is no admission. {@link
   * #NO_TIME} if it was refused or still waits.
   */
  public long admittedNanos(int row) {
    return admitted.length == 0 ? arrival[row] : admitted[row];
  }

  /** Number of the reason in {@link AdmissionLog#reason} for which it was held back, or -1. */
  public int holdReason(int row) {
    return holdReason.length == 0 ? -1 : holdReason[row] - 1;
  }

  /** The worker that the router chose: another than {@link #worker} if admission overruled it. */
  public int routerChoice(int row) {
    return overruled.length == 0 || overruled[row] < 0 ? worker[row] : overruled[row];
  }

  /** When the router placed it. */
  public long placedNanos(int row) {
    return placed[row];
  }

  /** When its worker's scheduler saw it, after the host's time for a request. */
  public long queuedNanos(int row) {
    if (queued.length > 0) {
      return queued[row];
    }
    return state(row) == RequestState.ROUTED ? NO_TIME : placed[row];
  }

  /** When it was first scheduled into a step. */
  public long scheduledNanos(int row) {
    return scheduled[row];
  }

  /** The end of the step that gave its first output token. */
  public long firstTokenNanos(int row) {
    return firstToken[row];
  }

  public long secondTokenNanos(int row) {
    return secondToken[row];
  }

  /** When it ended: with its last token, or refused. */
  public long endNanos(int row) {
    return end[row];
  }

  /** Output tokens it got. */
  public int outputTokens(int row) {
    return outputs[row];
  }

  /** Output tokens of the trace that it could not get because the model's length was reached. */
  public int clippedTokens(int row) {
    return clipped[row];
  }

  public int preemptions(int row) {
    return preemptions[row];
  }

  /** Tokens computed again after preemptions. */
  public int redoTokens(int row) {
    return redo[row];
  }

  /** Leading input tokens that the router believed its worker to hold, or -1 if it did not ask. */
  public int believedTokens(int row) {
    return believed[row];
  }

  /** Input tokens of a row in a class. */
  public int ledger(LedgerClass kind, int row) {
    int[] column = ledger[kind.ordinal()];
    return column.length == 0 ? 0 : column[row];
  }

  public void arrived(int row, long nanos) {
    arrival[row] = nanos;
  }

  /** There is an admission policy: no request goes on before {@link #admitted} says so. */
  public void admissionDecides() {
    admitted = grow(admitted, state.length);
  }

  public void admitted(int row, long nanos) {
    admitted[row] = nanos;
  }

  /** Admission holds it back, for the reason of this number. */
  public void held(int row, byte reason) {
    if (holdReason.length == 0) {
      holdReason = new byte[state.length];
    }
    holdReason[row] = (byte) (reason + 1);
    setState(row, RequestState.PAUSED);
  }

  /** The router chose this worker, and admission another. */
  public void overruled(int row, int routerChoice) {
    if (overruled.length == 0) {
      overruled = grow(overruled, state.length, -1);
    }
    overruled[row] = routerChoice;
  }

  public void placed(int row, int onWorker, long nanos, int believedTokens) {
    worker[row] = onWorker;
    placed[row] = nanos;
    believed[row] = believedTokens;
  }

  public void queued(int row, long nanos) {
    if (queued.length == 0) {
      if (nanos == placed[row]) {
        return; // as for all rows so far: no column of its own is needed
      }
      queued = Arrays.copyOf(placed, placed.length);
      for (int other = 0; other < rows; other++) {
        if (state(other) == RequestState.ROUTED) {
          queued[other] = NO_TIME;
        }
      }
    }
    queued[row] = nanos;
  }

  public void scheduled(int row, long nanos) {
    scheduled[row] = nanos;
  }

  public void firstToken(int row, long nanos) {
    firstToken[row] = nanos;
  }

  public void secondToken(int row, long nanos) {
    secondToken[row] = nanos;
  }

  public void ended(int row, RequestState how, long nanos) {
    setState(row, how);
    end[row] = nanos;
  }

  public void outputs(int row, int tokens) {
    outputs[row] = tokens;
  }

  public void clipped(int row, int tokens) {
    clipped[row] = tokens;
  }

  public void preempted(int row) {
    preemptions[row]++;
  }

  public void redone(int row, int tokens) {
    redo[row] += tokens;
  }

  public void charge(LedgerClass kind, int row, int tokens) {
    if (tokens == 0) {
      return;
    }
    int[] column = ledger[kind.ordinal()];
    if (column.length == 0) {
      column = new int[state.length];
      ledger[kind.ordinal()] = column;
    }
    column[row] += tokens;
  }
}
