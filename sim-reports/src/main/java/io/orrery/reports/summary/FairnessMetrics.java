package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;
import static io.orrery.reports.summary.Metric.Better.LOWER;

import io.orrery.engine.record.Samples;
import java.util.List;

/** Whether all sessions suffer alike. */
final class FairnessMetrics implements MetricGroup {
  private static final double PRECISION = 1e6;

  private static final Metric JAIN =
      Metric.number(
          "fairness.jain",
          HIGHER,
          "Jain's index over fairness.slowdown: 1 where all sessions are slowed down alike, 1/n where"
              + " one of n is slowed down and the others are not at all.");
  private static final Metric SLOWDOWN =
      Metric.quantiles(
          "fairness.slowdown",
          LOWER,
          "Time of a completed session over its time alone on an idle cluster: its requests with the"
              + " turn before in the cache and nobody else in the batch, tool waits as they were."
              + " Blocks that other sessions left may bring it below 1.");

  @Override
  public String title() {
    return "Fairness";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(JAIN, SLOWDOWN);
  }

  @Override
  public Measure measure(RunFacts run) {
    return out -> {
      if (!run.cluster().pools().isEmpty()) {
        put(run, out);
      }
    };
  }

  private static void put(RunFacts run, Summary.Builder out) {
    AloneTimes alone = new AloneTimes(run);
    SessionFacts sessions = run.sessions();
    Samples slowdowns = new Samples();
    double sum = 0;
    double squares = 0;
    for (int session = 0; session < sessions.count(); session++) {
      double least = sessions.completed(session) ? alone.sessionNanos(session) : 0;
      if (least > 0) {
        double slowdown = (sessions.endNanos(session) - sessions.startNanos(session)) / least;
        slowdowns.add(Math.round(slowdown * PRECISION), 1);
        sum += slowdown;
        squares += slowdown * slowdown;
      }
    }
    out.put(JAIN, sum * sum / (slowdowns.count() * squares));
    out.put(SLOWDOWN, slowdowns, PRECISION);
  }
}
