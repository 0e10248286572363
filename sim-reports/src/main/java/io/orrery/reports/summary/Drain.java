package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.traces.Trace;

/**
 * The end of a run, when no session begins any more and the last ones empty the cluster. Rates over
 * the whole run are lower by it.
 *
 * @param nanos from the start of the last root session to the end of the run
 * @param runNanos the whole run
 */
public record Drain(long nanos, long runNanos) {
  /** Below this share of a run nobody needs to know. */
  private static final double WORTH_SAYING = 0.2;

  /** The drain of a run of {@code trace}. */
  public static Drain of(Trace trace, RunResult result) {
    RunColumns columns = result.columns();
    long last = 0;
    int begun = 0;
    for (int row = 0; row < columns.rows(); row++) {
      int request = columns.request(row);
      int session = trace.session(request);
      if (columns.dispatched(row)
          && trace.parentSession(session) < 0
          && trace.firstRequest(session) == request) {
        last = Math.max(last, columns.arrivalNanos(row));
        begun++;
      }
    }
    // A session alone has no beginning to compare its end with.
    return new Drain(begun < 2 ? 0 : Math.max(0, result.endNanos() - last), result.endNanos());
  }

  /** The part of the run that is drain. */
  public double share() {
    return runNanos == 0 ? 0 : (double) nanos / runNanos;
  }

  /** When the last session began, in nanoseconds. */
  public long beginNanos() {
    return runNanos - nanos;
  }

  /** Whether it is so long that a reader of means must know. */
  public boolean isWorthSaying() {
    return share() > WORTH_SAYING;
  }
}
