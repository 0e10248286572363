package io.orrery.reports.summary;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RealisedBound;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.record.WorkerStats;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.spec.SloSpec;
import io.orrery.traces.BlockView;
import io.orrery.traces.Computed;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What the numbers of one run are computed from. Used by one thread, and by those that {@link
 * #beginBound} and {@link #beginTimeline} begin.
 */
public final class RunFacts {
  private final Trace trace;
  private final BlockView view;
  private final RunResult result;
  private final Slo slo;
  private final int stretches;
  private final ClusterFacts cluster;
  private @Nullable SessionFacts sessions;

  /** By request, -1 where they have not been counted. */
  private @Nullable IntColumn resentBlocks;

  private final Computed<ClusterTimeline> timeline = new Computed<>(() -> ClusterTimeline.of(this));
  private final Computed<RealisedBound> realisedBound;

  /**
   * @param view the trace at the engine's block size
   * @param result of replaying {@code trace}
   */
  public RunFacts(Trace trace, BlockView view, RunResult result, Slo slo) {
    this(trace, view, result, slo, 0, ClusterFacts.UNKNOWN);
  }

  /**
   * @param view the trace at the engine's block size
   * @param result of replaying {@code trace}
   * @param stretches of simulated time in which it is kept how levels went; 0 for none
   * @param cluster what is known of the workers
   */
  public RunFacts(
      Trace trace, BlockView view, RunResult result, Slo slo, int stretches, ClusterFacts cluster) {
    this.cluster = cluster;
    this.stretches = stretches;
    this.trace = trace;
    this.view = view;
    this.result = result;
    this.slo = slo;
    realisedBound = new Computed<>(() -> RealisedBound.of(result.lookUps()));
  }

  /**
   * The facts of a scenario's run.
   *
   * @param result of simulating {@code run}
   * @param stretches of simulated time in which it is kept how levels went; 0 for none
   */
  public static RunFacts of(ScenarioRun run, RunResult result, int stretches) {
    SloSpec slo = run.variant().spec().slo();
    return new RunFacts(
        run.trace(),
        run.view(),
        result,
        new Slo(slo.ttftNanos(), slo.tokensPerSecondPerUser()),
        stretches,
        new ClusterFacts(
            run.settings().pools(), run.cost().dollarsPerHour(), run.cost().kilowatts()));
  }

  public Trace trace() {
    return trace;
  }

  public BlockView view() {
    return view;
  }

  /** What is known of the workers. */
  public ClusterFacts cluster() {
    return cluster;
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

  /** Stretches of simulated time in which it is kept how levels went; 0 for none. */
  public int stretches() {
    return stretches;
  }

  /** An empty profile over the run's time. */
  public TimeProfile newProfile() {
    return new TimeProfile(stretches, result.endNanos());
  }

  /** Whether the trace names blocks, without which nothing can be said about hits. */
  public boolean hasIdentities() {
    return trace.blockCount() > 0;
  }

  /** Whether the request was taken into a step, so that its input has been charged. */
  public boolean admitted(int row) {
    return columns().scheduledNanos(row) != RunColumns.NO_TIME;
  }

  public boolean finished(int row) {
    return columns().state(row) == RequestState.FINISHED;
  }

  /** Something that looks at one row after the other. */
  public RequestRow newRow() {
    return new RequestRow(this);
  }

  public int inputTokens(int row) {
    return trace.inputTokens(columns().request(row));
  }

  /** Input tokens that were reused from any tier. */
  public int hitTokens(int row) {
    RunColumns columns = columns();
    return columns.ledger(LedgerClass.HIT_DEVICE, row)
        + columns.ledger(LedgerClass.HIT_HOST, row)
        + columns.ledger(LedgerClass.HIT_DISK, row)
        + columns.ledger(LedgerClass.HIT_SHARED, row);
  }

  /**
   * Input tokens of a request after its session's first that were in the request before, prompt or
   * output, in whole blocks.
   */
  long resentTokens(int request) {
    IntColumn known = resentBlocks;
    if (known == null) {
      known = IntColumn.filled(trace.requestCount(), -1);
      resentBlocks = known;
    }
    if (known.get(request) < 0) {
      known.set(request, computedResentBlocks(request));
    }
    return (long) known.get(request) * view.blockSize();
  }

  private int computedResentBlocks(int request) {
    int previous = trace.request(trace.session(request), trace.turn(request) - 1);
    long context = (long) trace.inputTokens(previous) + trace.outputTokens(previous);
    int whole = (int) Math.min(view.namedBlocks(previous), context / view.blockSize());
    return view.commonBlocks(previous, whole, request, view.identifiedBlocks(request));
  }

  /** Where a row's session stands among the sessions of all copies of the trace. */
  public int session(int row) {
    RunColumns columns = columns();
    return columns.copy(row) * trace.sessionCount() + trace.session(columns.request(row));
  }

  public SessionFacts sessions() {
    SessionFacts known = sessions;
    if (known == null) {
      known = new SessionFacts(this);
      sessions = known;
    }
    return known;
  }

  /** Levels over the time of the run. To be asked for after the last row. */
  public ClusterTimeline timeline() {
    return timeline.get();
  }

  /** The most that this run's look-ups can find; its log must be complete. */
  RealisedBound realisedBound() {
    if (!realisedBound.isDone()) {
      // Whoever would wait for another thread does what else is needed.
      timeline.get();
    }
    return realisedBound.get();
  }

  /**
   * Has another thread compute the bound of this run's look-ups, which needs no rows.
   *
   * @return whether there is such a bound
   */
  boolean beginBound() {
    boolean known = hasIdentities() && result.lookUps().complete();
    if (known) {
      realisedBound.begin();
    }
    return known;
  }

  /** Has another thread compute the timeline; after the last row. */
  void beginTimeline() {
    timeline.begin();
  }

  public int gpus() {
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
