package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.TimeProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** How many sessions are carried at once, how the load went, and when the promises break. */
final class ConcurrencySection {
  private final List<RunFigures> runs;

  ConcurrencySection(List<RunFigures> runs) {
    this.runs = runs;
  }

  Section section() {
    List<Chart> charts = new ArrayList<>();
    charts.add(
        overTime(
            "sessions-live",
            "Sessions alive over time",
            run -> run.run().timeline().liveProfile()));
    charts.add(
        overTime(
            "sessions-active",
            "Sessions with a request on its way over time",
            run -> run.run().timeline().activeProfile()));
    if (runs.stream().anyMatch(run -> run.pausedSessions() != null)) {
      charts.add(
          overTime(
              "sessions-paused",
              "Sessions paused by admission over time",
              run -> Objects.requireNonNullElseGet(run.pausedSessions(), run.run()::newProfile)));
    }
    charts.add(overTime("requests-waiting", "Requests waiting over time", RunFigures::waiting));
    charts.add(overTime("requests-running", "Requests running over time", RunFigures::running));
    charts.add(goodput());
    charts.add(sessionTimes());
    runs.forEach(run -> charts.add(balance(run)));
    return new Section("concurrency", "Concurrency", lead(), charts, List.of(numbers()));
  }

  private String lead() {
    RunFigures first = Descriptions.quickestFirst(runs).get(0);
    String text =
        "On average "
            + HumanUnits.amount(first.summary().get("concurrency.live.mean", 0))
            + " sessions are alive ("
            + HumanUnits.amount(
                first.summary().get("concurrency.live.mean", 0) / first.run().gpus())
            + " a GPU)";
    return text
        + " and "
        + HumanUnits.amount(first.summary().get("concurrency.active.mean", 0))
        + " have a request on its way"
        + (runs.size() == 1 ? "" : " under " + first.name())
        + "; promises: TTFT within "
        + HumanUnits.millis(first.run().slo().ttftNanos() / 1e6)
        + " and at least "
        + HumanUnits.amount(first.run().slo().tokensPerSecond())
        + " output tokens per second.";
  }

  private Chart overTime(String id, String title, Function<RunFigures, TimeProfile> level) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      TimeProfile profile = level.apply(run);
      double[] edges = profile.edgesSeconds();
      double[] means = profile.means();
      double[] x = new double[means.length];
      System.arraycopy(edges, 0, x, 0, x.length);
      lines.add(new LineChart.Line(run.name(), x, means));
    }
    return new LineChart(
        id,
        title,
        "Means over " + RunFigures.STRETCHES + " equal stretches of each run.",
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        Axis.linear(title.startsWith("Sessions") ? "sessions" : "requests", Axis.Unit.COUNT),
        lines,
        true,
        Double.NaN,
        "");
  }

  private Chart goodput() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      RunFigures.Cdf kept = run.goodput().kept();
      lines.add(new LineChart.Line(run.name(), kept.values(), kept.shares()));
    }
    return new LineChart(
        "goodput",
        "Requests that kept the promises, by load when they were sent",
        "Loads at which fewer than 20 requests were sent are left blank.",
        Axis.linear("requests in flight per GPU", Axis.Unit.COUNT),
        Axis.linear("requests within SLO", Axis.Unit.SHARE),
        lines,
        false,
        0.95,
        "95 %");
  }

  private Chart sessionTimes() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      RunFigures.Cdf cdf = run.sessionSeconds();
      lines.add(new LineChart.Line(run.name(), cdf.values(), cdf.shares()));
    }
    return new LineChart(
        "session-time-cdf",
        "Session time: share of completed sessions that took no longer",
        Descriptions.quantiles(
            "Time of a session, tool waits included, at the median and at p95",
            runs,
            "session_completion_s",
            HumanUnits::seconds),
        Axis.log("session time", Axis.Unit.SECONDS),
        Axis.linear("completed sessions", Axis.Unit.SHARE),
        lines,
        false,
        Double.NaN,
        "");
  }

  private static Chart balance(RunFigures run) {
    return WorkerMap.of(
        "balance-" + SafeNames.id(run.name()),
        "Requests on each worker, " + run.name(),
        "Waiting and running ones; an even picture is a balanced cluster.",
        Axis.linear("requests", Axis.Unit.COUNT),
        run,
        run::inFlight);
  }

  private Table numbers() {
    return Descriptions.table(
        "concurrency-numbers",
        "Concurrency and throughput",
        runs,
        List.of(
            Descriptions.amount("sessions alive, mean", "concurrency.live.mean"),
            Descriptions.amount("sessions alive, most", "concurrency.live.max"),
            Descriptions.amount("sessions active, mean", "concurrency.active.mean"),
            Descriptions.amount("sessions paused, mean", "concurrency.paused.mean"),
            Descriptions.amount("requests/s", "requests_per_s"),
            Descriptions.amount("requests/s within SLO", "goodput_rps"),
            Descriptions.amount("output tokens/s", "output_tokens_per_s"),
            Descriptions.amount("output tokens/s per GPU", "output_tokens_per_s_per_gpu"),
            Descriptions.amount("busiest worker / mean", "imbalance.busy"),
            Descriptions.seconds("session time, mean", "session_completion_s.mean"),
            Descriptions.seconds("session time, p95", "session_completion_s.p95"),
            Descriptions.count("sessions completed", "sessions.completed"),
            Descriptions.amount("slowdown of a session, median", "fairness.slowdown.p50"),
            Descriptions.amount("slowdown of a session, p95", "fairness.slowdown.p95"),
            Descriptions.amount("fairness of slowdowns (Jain)", "fairness.jain")));
  }
}
