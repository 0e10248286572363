package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import java.util.List;

/** What the user feels. */
final class LatencyMetrics implements MetricGroup {
  private static final double MILLIS = 1e6;

  private static final Metric TTFT =
      Metric.quantiles(
          "ttft_ms",
          LOWER,
          "Time to first token: from sending a request to the end of the step that gave its first"
              + " output token.");
  private static final Metric TTST =
      Metric.quantiles("ttst_ms", LOWER, "Time from the first to the second output token.");
  private static final Metric TPOT =
      Metric.quantiles(
          "tpot_ms",
          LOWER,
          "Time per output token after the first of a completed request: (last - first) / (n - 1),"
              + " for n of at least 2.");
  private static final Metric ITL =
      Metric.quantiles(
          "itl_ms", LOWER, "Every gap between two output tokens, not averaged by request.");
  private static final Metric E2E =
      Metric.quantiles(
          "e2e_ms", LOWER, "Time from sending a completed request to its last output token.");
  private static final Metric QUEUE_WAIT =
      Metric.quantiles(
          "queue_wait_ms",
          LOWER,
          "Time from a request's arrival in its worker's queue to the first step that includes it.");
  private static final Metric HOST =
      Metric.quantiles(
          "host_ms",
          LOWER,
          "Time from placing a request to its arrival in its worker's queue: the engine's API,"
              + " tokenisation and scheduling; absent where the step-time model knows no host.");

  private static final Metric PAUSE =
      Metric.quantiles(
          "pause_ms",
          LOWER,
          "Time that admission held a request back: from sending it to letting it go to the router;"
              + " absent without an admission policy.");

  @Override
  public String title() {
    return "Latency";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(TTFT, TTST, TPOT, ITL, E2E, QUEUE_WAIT, HOST, PAUSE);
  }

  @Override
  public Measure measure(RunFacts run) {
    RunColumns columns = run.columns();
    return new Measure() {
      private final Samples ttft = new Samples();
      private final Samples ttst = new Samples();
      private final Samples tpot = new Samples();
      private final Samples e2e = new Samples();
      private final Samples queueWait = new Samples();
      private final Samples host = new Samples();
      private final Samples pause = new Samples();
      private boolean hostTakesTime;

      @Override
      public void row(RequestRow row) {
        if (run.result().admission().active()
            && columns.admittedNanos(row.row()) != RunColumns.NO_TIME) {
          pause.add(columns.admittedNanos(row.row()) - row.arrivalNanos(), 1);
        }
        if (row.inStep()) {
          long hostNanos = row.queuedNanos() - row.placedNanos();
          host.add(hostNanos, 1);
          hostTakesTime |= hostNanos > 0;
          queueWait.add(row.scheduledNanos() - row.queuedNanos(), 1);
        }
        if (row.hasFirstToken()) {
          ttft.add(row.ttftNanos(), 1);
          long second = columns.secondTokenNanos(row.row());
          if (second != RunColumns.NO_TIME) {
            ttst.add(second - row.firstTokenNanos(), 1);
          }
        }
        if (row.finished()) {
          e2e.add(row.endNanos() - row.arrivalNanos(), 1);
          int gaps = row.outputTokens() - 1;
          if (gaps > 0) {
            tpot.add(Math.round((double) (row.endNanos() - row.firstTokenNanos()) / gaps), 1);
          }
        }
      }

      @Override
      public void finish(Summary.Builder out) {
        out.put(TTFT, ttft, MILLIS);
        out.put(TTST, ttst, MILLIS);
        out.put(TPOT, tpot, MILLIS);
        out.put(ITL, run.result().interTokenNanos(), MILLIS);
        out.put(E2E, e2e, MILLIS);
        out.put(QUEUE_WAIT, queueWait, MILLIS);
        out.put(PAUSE, pause, MILLIS);
        if (hostTakesTime) {
          out.put(HOST, host, MILLIS);
        }
      }
    };
  }
}
