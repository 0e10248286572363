package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import io.orrery.reports.summary.RunFacts;
import io.orrery.traces.Trace;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/** What the time to first token consists of, on average: over all requests and over the slowest. */
final class Waterfall {
  /** The parts of a TTFT, in the order in which they pass. */
  static final List<String> PARTS =
      List.of("pause by admission", "router", "host", "queue", "prefill");

  /** The parts as ends of the sentence that so much time was spent. */
  static final List<String> IN_WORDS =
      List.of(
          "held back by admission",
          "at the router",
          "in the host",
          "in the worker's queue",
          "in prefill");

  private static final int SLOWEST_PERCENT = 5;

  private final RunFacts run;
  private final RunColumns columns;
  private final Samples ttft = new Samples();
  private final BitSet rows = new BitSet();

  Waterfall(RunFacts run) {
    this.run = run;
    columns = run.columns();
  }

  void add(int row) {
    rows.set(row);
    ttft.add(nanos(row), 1);
  }

  private long nanos(int row) {
    return columns.firstTokenNanos(row) - columns.arrivalNanos(row);
  }

  /** The parts' means over all requests with a first token, in milliseconds. */
  double[] all() {
    return means(row -> true);
  }

  /** The parts' means over the slowest twentieth of the requests, in milliseconds. */
  double[] slowest() {
    return means(slow());
  }

  private IntPredicate slow() {
    long least = ttft.count() == 0 ? 0 : (long) ttft.quantile(1 - SLOWEST_PERCENT / 100.0);
    return row -> nanos(row) >= least;
  }

  /** The parts' means over the requests of a class of turns, in milliseconds. */
  double[] ofTurns(SizeClasses classes, int at) {
    Trace trace = run.trace();
    return means(row -> classes.of(trace.turn(columns.request(row)) + 1) == at);
  }

  /** The parts' means over the requests of a class of input lengths, in milliseconds. */
  double[] ofInputs(SizeClasses classes, int at) {
    return means(row -> classes.of(run.inputTokens(row)) == at);
  }

  /**
   * What sets the slowest twentieth apart.
   *
   * @param firstTurns share of requests that are the first of their session
   * @param computedTokens mean input tokens that were not reused
   * @param count requests
   * @param atStart of these, first turns of the sessions that begin at 0
   */
  record Kind(double firstTurns, double computedTokens, long count, long atStart) {}

  /** Root sessions that begin at 0, all at once; with more than workers they have to share. */
  int sessionsAtStart() {
    int sessions = 0;
    for (int row = 0; row < columns.rows(); row++) {
      sessions += columns.dispatched(row) && beginsAtStart(row) ? 1 : 0;
    }
    return sessions;
  }

  private boolean beginsAtStart(int row) {
    int request = columns.request(row);
    return columns.arrivalNanos(row) == 0
        && run.trace().turn(request) == 0
        && run.trace().parentSession(run.trace().session(request)) < 0;
  }

  Kind allKind() {
    return kind(row -> true);
  }

  Kind slowestKind() {
    return kind(slow());
  }

  /** The same of the requests of a class of input lengths; NaN without any. */
  Kind kindOfInputs(SizeClasses classes, int at) {
    return kind(row -> classes.of(run.inputTokens(row)) == at);
  }

  private Kind kind(IntPredicate wanted) {
    long count = 0;
    long first = 0;
    long atStart = 0;
    double computed = 0;
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      if (wanted.test(row)) {
        count++;
        atStart += beginsAtStart(row) ? 1 : 0;
        first += run.trace().turn(columns.request(row)) == 0 ? 1 : 0;
        computed += run.inputTokens(row) - run.hitTokens(row);
      }
    }
    return new Kind((double) first / count, computed / count, count, atStart);
  }

  private double[] means(IntPredicate wanted) {
    double[] sums = new double[PARTS.size()];
    long count = 0;
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      if (wanted.test(row)) {
        count++;
        sums[0] += columns.admittedNanos(row) - columns.arrivalNanos(row);
        sums[1] += columns.placedNanos(row) - columns.admittedNanos(row);
        sums[2] += columns.queuedNanos(row) - columns.placedNanos(row);
        sums[3] += columns.scheduledNanos(row) - columns.queuedNanos(row);
        sums[4] += columns.firstTokenNanos(row) - columns.scheduledNanos(row);
      }
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] = count == 0 ? Double.NaN : sums[i] / count / 1e6;
    }
    return sums;
  }
}
