package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.NEITHER;

import java.util.List;

/** How many sessions the cluster carries at once. */
final class ConcurrencyMetrics implements MetricGroup {
  private static final Metric LIVE =
      Metric.level(
          "concurrency.live",
          NEITHER,
          "Root sessions alive, each with all it has spawned: from sending its first request to the"
              + " end of its last, tool waits included.");
  private static final Metric ACTIVE =
      Metric.level(
          "concurrency.active",
          NEITHER,
          "Root sessions with a request on its way, their own or a spawned session's.");

  private static final Metric PAUSED =
      Metric.level(
          "concurrency.paused",
          NEITHER,
          "Root sessions with a request that admission holds back, their own or a spawned session's;"
              + " absent without an admission policy.");

  @Override
  public String title() {
    return "Concurrency";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(LIVE, ACTIVE, PAUSED);
  }

  @Override
  public Measure measure(RunFacts run) {
    return out -> {
      out.put(LIVE, run.timeline().live(), 1);
      out.put(ACTIVE, run.timeline().active(), 1);
      if (run.result().admission().active()) {
        out.put(PAUSED, HeldSessions.of(run), 1);
      }
    };
  }
}
