package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;
import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.Samples;
import java.util.List;

/** What became of the sessions. */
final class SessionMetrics implements MetricGroup {
  private static final Metric COUNT =
      Metric.count(
          "sessions.count",
          NEITHER,
          "Sessions of which a request was sent, those spawned by others included.");
  private static final Metric COMPLETED =
      Metric.count("sessions.completed", HIGHER, "Sessions of which every request has ended.");
  private static final Metric COMPLETION =
      Metric.quantiles(
          "session_completion_s",
          LOWER,
          "Time of a completed session from sending its first request to the end of its last, tool"
              + " waits included.");

  @Override
  public String title() {
    return "Sessions";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(COUNT, COMPLETED, COMPLETION);
  }

  @Override
  public void measure(RunFacts run, Summary.Builder out) {
    SessionFacts sessions = run.sessions();
    long count = 0;
    long completed = 0;
    Samples completion = new Samples();
    for (int session = 0; session < sessions.count(); session++) {
      if (sessions.started(session)) {
        count++;
        if (sessions.completed(session)) {
          completed++;
          completion.add(sessions.endNanos(session) - sessions.startNanos(session), 1);
        }
      }
    }
    out.put(COUNT, count);
    out.put(COMPLETED, completed);
    out.put(COMPLETION, completion, 1e9);
  }
}
