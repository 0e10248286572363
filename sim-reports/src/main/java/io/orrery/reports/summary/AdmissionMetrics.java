package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import java.util.List;

/** What admission did, and what it believed beside what was true. */
final class AdmissionMetrics implements MetricGroup {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final Metric HELD =
      Metric.count("admission.held", NEITHER, "Requests that were held back.");
  private static final Metric PAUSES =
      Metric.count(
          "admission.pauses",
          NEITHER,
          "How often a session was paused, with or without a request that waited; absent if the policy"
              + " never paused one.");
  private static final Metric FORCED =
      Metric.count(
          "admission.forced_resumes",
          LOWER,
          "How often a session went on only because its request had waited for too long.");
  private static final Metric MARKS =
      Metric.count(
          "admission.marks",
          NEITHER,
          "How often a session at work was marked to be paused at its next tool call.");
  private static final Metric OVERRULED =
      Metric.count(
          "admission.overruled",
          NEITHER,
          "Requests that went to the worker that admission named while the router chose another.");
  private static final Metric SESSION_PAUSES =
      Metric.quantiles(
          "admission.pauses_per_session",
          LOWER,
          "Pauses of a session, of those that were paused at all.");
  private static final Metric SESSION_PAUSE =
      Metric.quantiles(
          "admission.session_pause_s",
          LOWER,
          "Time that a session was paused in all, of those that were paused at all.");
  private static final Metric PAUSED_SESSIONS =
      Metric.level(
          "admission.paused_sessions",
          NEITHER,
          "Sessions that are paused, with or without a request that waits.");
  private static final Metric USED =
      Metric.quantiles(
          "admission.believed_tokens",
          NEITHER,
          "KV cache that the policy counts as in use on a worker, sessions whose tool runs included,"
              + " worker by worker at each of its ticks.");
  private static final Metric REASONING =
      Metric.quantiles(
          "admission.believed_running_tokens",
          NEITHER,
          "Of admission.believed_tokens, the contexts of sessions with a request on its way; blocks"
              + " that sessions share count for each.");
  private static final Metric RUNNING =
      Metric.quantiles(
          "admission.running_tokens",
          NEITHER,
          "KV cache that the running requests of a worker held in truth at these ticks, shared blocks"
              + " once.");

  @Override
  public String title() {
    return "Admission";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        HELD,
        PAUSES,
        FORCED,
        MARKS,
        OVERRULED,
        SESSION_PAUSES,
        SESSION_PAUSE,
        PAUSED_SESSIONS,
        USED,
        REASONING,
        RUNNING);
  }

  @Override
  public Measure measure(RunFacts run) {
    AdmissionLog log = run.result().admission();
    if (!log.active()) {
      return out -> {};
    }
    RunColumns columns = run.columns();
    return new Measure() {
      private long overruled;

      @Override
      public void row(RequestRow row) {
        overruled += columns.routerChoice(row.row()) != row.worker() ? 1 : 0;
      }

      @Override
      public void finish(Summary.Builder out) {
        out.put(HELD, log.holds().values().stream().mapToLong(Long::longValue).sum());
        out.put(OVERRULED, overruled);
        if (log.pauses() > 0) {
          sessions(run, log, out);
        }
        out.put(USED, log.usedTokens(), 1);
        out.put(REASONING, log.reasoningTokens(), 1);
        out.put(RUNNING, log.heldTokens(), 1);
      }
    };
  }

  private static void sessions(RunFacts run, AdmissionLog log, Summary.Builder out) {
    out.put(PAUSES, log.pauses());
    out.put(FORCED, log.forcedResumes());
    out.put(MARKS, log.marks());
    Samples pauses = new Samples();
    Samples nanos = new Samples();
    log.sessions()
        .values()
        .forEach(
            session -> {
              pauses.add(session.count(), 1);
              nanos.add(session.nanos(), 1);
            });
    out.put(SESSION_PAUSES, pauses, 1);
    out.put(SESSION_PAUSE, nanos, NANOS_PER_SECOND);
    LevelOverTime paused = new LevelOverTime();
    long now = 0;
    long level = 0;
    for (int i = 0; i < log.changes(); i++) {
      paused.add(level, log.changeNanos(i) - now);
      now = log.changeNanos(i);
      level = log.pausedSessions(i);
    }
    paused.add(level, run.result().endNanos() - now);
    out.put(PAUSED_SESSIONS, paused, 1);
  }
}
