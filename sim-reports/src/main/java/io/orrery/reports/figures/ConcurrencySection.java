package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Drain;
import io.orrery.reports.summary.TimeProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** How many sessions are carried at once, how the load went, and when the promises break. */
final class ConcurrencySection {
  private final List<RunFigures> runs;

  private final RunFigures chosen;

  /**
   * @param chosen the one that is recommended
   */
  ConcurrencySection(List<RunFigures> runs, RunFigures chosen) {
    this.runs = runs;
    this.chosen = chosen;
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
    charts.addAll(
        WorkerMap.of(
            "balance",
            "Requests on each worker",
            "Waiting and running ones; an even picture is a balanced cluster. The maps of all variants"
                + " have one scale. How evenly workers are busy is another measure, in the table"
                + " below.",
            Axis.linear("requests", Axis.Unit.COUNT),
            runs,
            RunFigures::inFlight));
    return new Section(
        "concurrency", "Concurrency", lead(), charts, List.of(promises(), numbers()));
  }

  private String lead() {
    RunFigures run = chosen;
    double live = run.summary().get("concurrency.live.max", 0);
    GoodputByLoad.Outcomes outcomes = run.goodput().outcomes();
    String text =
        (runs.size() == 1 ? "" : "Under " + run.name() + " ")
            + HumanUnits.count(run.run().gpus(), "GPU")
            + (run.run().gpus() == 1 ? " carries up to " : " carry up to ")
            + HumanUnits.count(live, "session")
            + " at once ("
            + HumanUnits.amount(live / run.run().gpus())
            + " a GPU)";
    if (outcomes.all() > 0) {
      text +=
          outcomes.keptShare() >= Goal.KEPT
              ? " within the service level: "
              : ", more than the service level allows: ";
      text +=
          HumanUnits.percent(outcomes.keptShare())
              + " of the requests keep its targets, "
              + HumanUnits.percent(Goal.KEPT)
              + " are asked"
              + (outcomes.keptShare() >= Goal.KEPT ? "." : "; " + run.goodput().largestKept() + ".")
              + Limits.misses(outcomes);
    } else {
      text += ".";
    }
    return text
        + " On average "
        + HumanUnits.amount(run.summary().get("concurrency.live.mean", 0))
        + " sessions are alive and "
        + HumanUnits.amount(run.summary().get("concurrency.active.mean", 0))
        + " have a request on its way"
        + drained(run)
        + ".";
  }

  private static String drained(RunFigures run) {
    Drain drain = Drain.of(run.run().trace(), run.run().result());
    if (drain.isWorthSaying() && drain.beginNanos() == 0) {
      return "; all sessions begin at 0, and means and rates are over the whole time in which they"
          + " end";
    }
    return drain.isWorthSaying()
        ? "; means and rates are over the whole run, the last "
            + HumanUnits.seconds(drain.nanos() / 1e9)
            + " of "
            + HumanUnits.seconds(drain.runNanos() / 1e9)
            + " included, in which no session begins any more"
        : "";
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
        "Requests within the service level, by load when they were sent",
        "The line is at 95 %, what targets at p95 ask. Load is that of the whole cluster, as a mean"
            + " over the stretch of the run (1 of "
            + RunFigures.STRETCHES
            + ") in which a request was sent; what its own worker had to do may differ. Loads at which"
            + " fewer than 20 requests were sent are left blank.",
        Axis.linear("requests in flight per GPU", Axis.Unit.COUNT),
        Axis.linear("requests within SLO", Axis.Unit.SHARE),
        lines,
        false,
        Goal.KEPT,
        "asked: 95 %");
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

  private Table promises() {
    List<List<String>> rows = new ArrayList<>();
    for (RunFigures run : runs) {
      GoodputByLoad.Outcomes outcomes = run.goodput().outcomes();
      rows.add(
          List.of(
              run.name(),
              share(outcomes.kept(), outcomes),
              share(outcomes.late(), outcomes),
              share(outcomes.slow(), outcomes),
              share(outcomes.both(), outcomes)));
    }
    return Table.of(
        "promises",
        "Completed requests within the service level, and what the others miss: a first token within "
            + HumanUnits.millis(chosen.run().slo().ttftNanos() / 1e6)
            + ", "
            + HumanUnits.amount(chosen.run().slo().tokensPerSecond())
            + " output tokens per second after it",
        List.of("variant", "keep both", "miss the first token", "miss the speed", "miss both"),
        rows);
  }

  private static String share(long count, GoodputByLoad.Outcomes outcomes) {
    return outcomes.all() == 0
        ? Figures.UNKNOWN
        : HumanUnits.percent((double) count / outcomes.all());
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
            Descriptions.amount(
                "busy time of the busiest worker / of the mean one", "imbalance.busy"),
            Descriptions.seconds("session time, mean", "session_completion_s.mean"),
            Descriptions.seconds("session time, p95", "session_completion_s.p95"),
            Descriptions.count("sessions completed", "sessions.completed"),
            Descriptions.amount(
                "slowdown of a session (its time / its time alone), median",
                "fairness.slowdown.p50"),
            Descriptions.amount(
                "slowdown of a session (its time / its time alone), p95", "fairness.slowdown.p95"),
            Descriptions.amount("fairness of slowdowns (Jain; 1 is even)", "fairness.jain")));
  }
}
