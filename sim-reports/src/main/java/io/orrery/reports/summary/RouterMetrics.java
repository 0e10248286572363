package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import java.util.List;

/** What the router decided and believed. */
final class RouterMetrics implements MetricGroup {
  private static final Metric DECISIONS =
      Metric.count("router.decisions", NEITHER, "Requests that the router placed on a worker.");
  private static final Metric ESTIMATE_ERROR =
      Metric.quantiles(
          "router.estimate_error_tokens",
          LOWER,
          "Difference, either way, between the reusable tokens that the router believed its worker to"
              + " hold and those that the worker found; absent for policies that keep no index.");

  @Override
  public String title() {
    return "Router";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(DECISIONS, ESTIMATE_ERROR);
  }

  @Override
  public Measure measure(RunFacts run) {
    RunColumns columns = run.columns();
    return new Measure() {
      private final Samples errors = new Samples();
      private long decisions;

      @Override
      public void row(int row) {
        decisions += columns.placedNanos(row) != RunColumns.NO_TIME ? 1 : 0;
        if (run.admitted(row) && columns.believedTokens(row) >= 0) {
          // A prompt's last block is always computed, so nobody can find more than this.
          int block = run.result().workers().get(columns.worker(row)).blockTokens();
          int most = (run.inputTokens(row) - 1) / block * block;
          int believed = Math.min(columns.believedTokens(row), most);
          errors.add(Math.abs(believed - run.hitTokens(row)), 1);
        }
      }

      @Override
      public void finish(Summary.Builder out) {
        out.put(DECISIONS, decisions);
        out.put(ESTIMATE_ERROR, errors, 1);
      }
    };
  }
}
