package io.orrery.cli;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.Trace;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The end of a run, when no session begins any more and the last ones empty the cluster. Rates over
 * the whole run are lower by it.
 *
 * @param nanos from the start of the last root session to the end of the run
 * @param runNanos the whole run
 */
record Drain(long nanos, long runNanos) {
  /** Below this share of a run nobody needs to know. */
  private static final double WORTH_SAYING = 0.2;

  static Drain of(Trace trace, RunResult result) {
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

  private double share() {
    return runNanos == 0 ? 0 : (double) nanos / runNanos;
  }

  /** A sentence about the longest of several runs' ends, if it is worth saying. */
  static Optional<String> note(List<Drain> drains) {
    return drains.stream()
        .max((a, b) -> Double.compare(a.share(), b.share()))
        .filter(drain -> drain.share() > WORTH_SAYING)
        .map(Drain::text);
  }

  private String text() {
    return String.format(
        Locale.ROOT,
        "No session begins in the last %s of %s (%.0f %%), while the others end; rates per second"
            + " and idle time include that. limits.simulatedTime ends a run before it.",
        HumanUnits.seconds(nanos / 1e9),
        HumanUnits.seconds(runNanos / 1e9),
        100 * share());
  }
}
