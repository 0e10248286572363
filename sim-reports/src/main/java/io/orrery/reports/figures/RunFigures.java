package io.orrery.reports.figures;

import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import io.orrery.engine.record.WorkerStats;
import io.orrery.reports.chart.BoxChart.Box;
import io.orrery.reports.summary.KnownTokens;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.SessionFacts;
import io.orrery.reports.summary.Summary;
import io.orrery.reports.summary.TimeProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the report shows of one run, taken from its columns in one pass; of a size that does not
 * depend on the number of requests.
 */
public final class RunFigures {
  /** Stretches of simulated time in pictures over time. */
  public static final int STRETCHES = 240;

  /** Stretches in pictures of every worker over time. */
  static final int WORKER_STRETCHES = 96;

  /** Points of a distribution function: a hundredth apart, in the last tenth a thousandth. */
  private static final int CDF_COARSE = 90;

  private static final int CDF_POINTS = 190;

  private static final double MILLIS = 1e6;

  private final String name;
  private final Summary summary;
  private final RunFacts run;
  private final RunColumns columns;
  private final Samples ttft = new Samples();
  private final Samples[] ttftByTurn = samples(SizeClasses.turns());
  private final Samples[] ttftByInput = samples(SizeClasses.inputTokens());
  private final Samples sessionHits = new Samples();
  private final Samples sessionSeconds = new Samples();
  private final KnownTokens[] inputByTurn = new KnownTokens[SizeClasses.turns().count()];
  private final TimeProfile waiting;
  private final TimeProfile running;
  private final TimeProfile[] inFlight;
  private final TimeProfile usedBlocks;
  private final TimeProfile keptBlocks;
  private final TimeProfile[] usedShare;
  private final double[] outputs = new double[STRETCHES];
  private final GoodputByLoad goodput;
  private final Waterfall waterfall;
  private final SlowRequests slow;
  private long believedTokens;
  private long foundTokens;

  private RunFigures(String name, RunFacts run, Summary summary) {
    this.name = name;
    this.run = run;
    this.summary = summary;
    columns = run.columns();
    Arrays.setAll(inputByTurn, turns -> new KnownTokens());
    waiting = run.newProfile();
    running = run.newProfile();
    inFlight = new TimeProfile[run.result().workers().size()];
    for (int i = 0; i < inFlight.length; i++) {
      inFlight[i] = new TimeProfile(WORKER_STRETCHES, run.result().endNanos());
    }
    usedBlocks = run.newProfile();
    keptBlocks = run.newProfile();
    usedShare = new TimeProfile[inFlight.length];
    for (int i = 0; i < usedShare.length; i++) {
      WorkerStats worker = run.result().workers().get(i);
      usedShare[i] = new TimeProfile(WORKER_STRETCHES, run.result().endNanos());
      usedBlocks.add(worker.usedHistory(), 1);
      keptBlocks.add(worker.keptHistory(), 1);
      usedShare[i].add(worker.usedHistory(), 1.0 / worker.usableBlocks());
    }
    goodput = new GoodputByLoad(run);
    waterfall = new Waterfall(run);
    slow = new SlowRequests(run);
  }

  private static Samples[] samples(SizeClasses classes) {
    Samples[] all = new Samples[classes.count()];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Samples();
    }
    return all;
  }

  /**
   * Looks at a run.
   *
   * @param run with profiles of {@link #STRETCHES} stretches
   */
  public static RunFigures of(String name, RunFacts run, Summary summary) {
    RunFigures figures = new RunFigures(name, run, summary);
    for (int row = 0; row < run.columns().rows(); row++) {
      if (run.columns().dispatched(row)) {
        figures.takeIn(row);
      }
    }
    figures.takeInSessions();
    return figures;
  }

  private void takeIn(int row) {
    int turn = SizeClasses.turns().of(run.trace().turn(columns.request(row)) + 1);
    long end = run.result().endNanos();
    long ended = columns.state(row).isTerminal() ? columns.endNanos(row) : end;
    int worker = columns.worker(row);
    if (worker >= 0) {
      inFlight[worker].add(columns.placedNanos(row), ended, 1);
    }
    if (run.admitted(row)) {
      inputByTurn[turn].add(
          run.trace(), columns.request(row), run.inputTokens(row), run.hitTokens(row));
      running.add(columns.scheduledNanos(row), ended, 1);
      if (columns.believedTokens(row) >= 0) {
        believedTokens += columns.believedTokens(row);
        foundTokens += run.hitTokens(row);
      }
    }
    waiting.add(
        columns.arrivalNanos(row), run.admitted(row) ? columns.scheduledNanos(row) : ended, 1);
    long first = columns.firstTokenNanos(row);
    if (first != RunColumns.NO_TIME) {
      long nanos = first - columns.arrivalNanos(row);
      ttft.add(nanos, 1);
      ttftByTurn[turn].add(nanos, 1);
      ttftByInput[SizeClasses.inputTokens().of(run.inputTokens(row))].add(nanos, 1);
      outputs[running.at(ended)] += columns.outputTokens(row);
      goodput.add(row);
      waterfall.add(row);
      slow.add(row, nanos);
    }
  }

  private void takeInSessions() {
    SessionFacts sessions = run.sessions();
    for (int session = 0; session < sessions.count(); session++) {
      if (sessions.completed(session)) {
        sessionSeconds.add(sessions.endNanos(session) - sessions.startNanos(session), 1);
      }
      double share = sessions.hitRate(session);
      if (run.hasIdentities() && !Double.isNaN(share)) {
        sessionHits.add(Math.round(share * 1e9), 1);
      }
    }
  }

  public String name() {
    return name;
  }

  Summary summary() {
    return summary;
  }

  public RunFacts run() {
    return run;
  }

  /** A distribution function: values, and the share of samples that are not above. */
  record Cdf(double[] values, double[] shares) {}

  Cdf ttftMillis() {
    return cdf(ttft, MILLIS);
  }

  Cdf sessionHitRates() {
    return cdf(sessionHits, 1e9);
  }

  Cdf sessionSeconds() {
    return cdf(sessionSeconds, 1e9);
  }

  private static Cdf cdf(Samples samples, double unit) {
    if (samples.count() == 0) {
      return new Cdf(new double[0], new double[0]);
    }
    double[] values = new double[CDF_POINTS + 1];
    double[] shares = new double[CDF_POINTS + 1];
    values[0] = samples.min() / unit;
    for (int i = 1; i <= CDF_POINTS; i++) {
      // The upper end is where users hurt: half of the points lie in the last tenth. Round shares
      // are among them, so that medians here are the medians of the tables.
      shares[i] = i <= CDF_COARSE ? i / 100.0 : (9 * CDF_COARSE + i) / 1000.0;
      values[i] = samples.quantile(shares[i]) / unit;
    }
    return new Cdf(values, shares);
  }

  List<@Nullable Box> ttftByTurn() {
    return boxes(ttftByTurn);
  }

  List<@Nullable Box> ttftByInput() {
    return boxes(ttftByInput);
  }

  private static List<@Nullable Box> boxes(Samples[] classes) {
    List<@Nullable Box> boxes = new ArrayList<>();
    for (Samples samples : classes) {
      boxes.add(samples.count() == 0 ? null : box(samples));
    }
    return boxes;
  }

  private static Box box(Samples samples) {
    return new Box(
        samples.quantile(0.05) / MILLIS,
        samples.quantile(0.25) / MILLIS,
        samples.quantile(0.5) / MILLIS,
        samples.quantile(0.75) / MILLIS,
        samples.quantile(0.95) / MILLIS,
        samples.count());
  }

  /** Reused share of the known input of each class of turns; NaN where nothing is known. */
  double[] hitRateByTurn() {
    double[] shares = new double[inputByTurn.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = run.hasIdentities() ? inputByTurn[i].hitRate() : Double.NaN;
    }
    return shares;
  }

  /** Tokens that the router believed to find where it placed requests; 0 if it did not ask. */
  long believedTokens() {
    return believedTokens;
  }

  /** Tokens that were found by the requests for which the router had a belief. */
  long foundTokens() {
    return foundTokens;
  }

  public TimeProfile waiting() {
    return waiting;
  }

  public TimeProfile running() {
    return running;
  }

  /** Requests on each worker, waiting or running. */
  TimeProfile inFlight(int worker) {
    return inFlight[worker];
  }

  /** KV blocks in use on all workers. */
  public TimeProfile usedBlocks() {
    return usedBlocks;
  }

  /** Distinct blocks that can be found again, in use or not, added up over the workers. */
  public TimeProfile keptBlocks() {
    return keptBlocks;
  }

  /** Share of a worker's KV blocks in use. */
  TimeProfile usedShare(int worker) {
    return usedShare[worker];
  }

  /** Output tokens per second, counted where their request ended. */
  public double[] outputPerSecond() {
    return TimeProfile.perSecond(outputs, run.result().endNanos());
  }

  /** Sessions that admission has paused; null if it paused none. */
  @Nullable TimeProfile pausedSessions() {
    AdmissionLog log = run.result().admission();
    if (log.changes() == 0) {
      return null;
    }
    TimeProfile paused = run.newProfile();
    for (int i = 0; i < log.changes(); i++) {
      long end = i + 1 < log.changes() ? log.changeNanos(i + 1) : run.result().endNanos();
      paused.add(log.changeNanos(i), end, log.pausedSessions(i));
    }
    return paused;
  }

  GoodputByLoad goodput() {
    return goodput;
  }

  Waterfall waterfall() {
    return waterfall;
  }

  SlowRequests slow() {
    return slow;
  }
}
