package io.orrery.reports.summary;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.record.WorkerStats;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What the numbers of one run are computed from. Used by one thread. */
public final class RunFacts {
  private final Trace trace;
  private final BlockView view;
  private final RunResult result;
  private final Slo slo;
  private @Nullable SessionFacts sessions;
  private @Nullable ClusterTimeline timeline;

  /**
   * @param view the trace at the engine's block size
   * @param result of replaying {@code trace}
   */
  public RunFacts(Trace trace, BlockView view, RunResult result, Slo slo) {
    this.trace = trace;
    this.view = view;
    this.result = result;
    this.slo = slo;
  }

  public Trace trace() {
    return trace;
  }

  public BlockView view() {
    return view;
  }

  public RunResult result() {
    return result;
  }

  public RunColumns columns() {
    return result.columns();
  }

  public Slo slo() {
    return slo;
  }

  /** Whether the trace names blocks, without which nothing can be said about hits. */
  boolean hasIdentities() {
    return trace.blockCount() > 0;
  }

  /** Whether the request was taken into a step, so that its input has been charged. */
  boolean admitted(int row) {
    return columns().scheduledNanos(row) != RunColumns.NO_TIME;
  }

  boolean finished(int row) {
    return columns().state(row) == RequestState.FINISHED;
  }

  int inputTokens(int row) {
    return trace.inputTokens(columns().request(row));
  }

  /** Input tokens that were reused from any tier. */
  int hitTokens(int row) {
    RunColumns columns = columns();
    return columns.ledger(LedgerClass.HIT_DEVICE, row)
        + columns.ledger(LedgerClass.HIT_HOST, row)
        + columns.ledger(LedgerClass.HIT_DISK, row)
        + columns.ledger(LedgerClass.HIT_SHARED, row);
  }

  /** Where a row's session stands among the sessions of all copies of the trace. */
  int session(int row) {
    RunColumns columns = columns();
    return columns.copy(row) * trace.sessionCount() + trace.session(columns.request(row));
  }

  SessionFacts sessions() {
    SessionFacts known = sessions;
    if (known == null) {
      known = new SessionFacts(this);
      sessions = known;
    }
    return known;
  }

  ClusterTimeline timeline() {
    ClusterTimeline known = timeline;
    if (known == null) {
      known = ClusterTimeline.of(this);
      timeline = known;
    }
    return known;
  }

  int gpus() {
    return result.workers().stream().mapToInt(WorkerStats::gpus).sum();
  }

  /** Simulated time from the start to the last event. */
  BigDecimal seconds() {
    return Decimals.seconds(BigDecimal.valueOf(result.endNanos()));
  }

  /** So much for each simulated second; NaN if no time passed. */
  double perSecond(double amount) {
    return result.endNanos() == 0 ? Double.NaN : amount * 1e9 / result.endNanos();
  }
}
