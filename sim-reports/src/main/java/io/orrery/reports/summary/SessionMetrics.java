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
  public Measure measure(RunFacts run) {
    return new Measure() {
      private final Samples completion = new Samples();
      private long count;

      @Override
      public void finish(Summary.Builder out) {
        SessionFacts sessions = run.sessions();
        for (int session = 0; session < sessions.count(); session++) {
          takeIn(sessions, session);
        }
        out.put(COUNT, count);
        out.put(COMPLETED, completion.count());
        out.put(COMPLETION, completion, 1e9);
      }

      private void takeIn(SessionFacts sessions, int session) {
        if (sessions.started(session)) {
          count++;
          if (sessions.completed(session)) {
            completion.add(sessions.endNanos(session) - sessions.startNanos(session), 1);
          }
        }
      }
    };
  }
}
