package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.RouterStats;
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

  private static final Metric QUEUED =
      Metric.count("router.queued", LOWER, "Requests that had to wait in the router's queue.");
  private static final Metric INDEX_UPDATES =
      Metric.count(
          "router.index_updates",
          NEITHER,
          "Block events that the router's index took in; absent for policies that keep no index.");
  private static final Metric INDEX_LOOK_UPS =
      Metric.count(
          "router.index_look_ups",
          NEITHER,
          "Prompts that were matched against the router's index.");
  private static final Metric INDEX_BLOCKS =
      Metric.count(
          "router.index_blocks",
          NEITHER,
          "Distinct blocks that the router's index believed to be on some worker at the end.");
  private static final Metric REGRET =
      Metric.quantiles(
          "router.regret_ms",
          LOWER,
          "How much earlier a first token would have come on the best worker that the request might have gone to, by the"
              + " step-time model and what was on the workers when it was placed; only where decisions are recorded.");

  @Override
  public String title() {
    return "Router";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        DECISIONS, QUEUED, ESTIMATE_ERROR, REGRET, INDEX_UPDATES, INDEX_LOOK_UPS, INDEX_BLOCKS);
  }

  @Override
  public Measure measure(RunFacts run) {
    RunColumns columns = run.columns();
    return new Measure() {
      private final Samples errors = new Samples();
      private long decisions;

      @Override
      public void row(RequestRow row) {
        decisions += row.placedNanos() != RunColumns.NO_TIME ? 1 : 0;
        int believed = columns.believedTokens(row.row());
        if (row.inStep() && believed >= 0) {
          // A prompt's last block is always computed, so nobody can find more than this.
          int block = run.result().workers().get(row.worker()).blockTokens();
          int most = (row.inputTokens() - 1) / block * block;
          errors.add(Math.abs(Math.min(believed, most) - row.hitTokens()), 1);
        }
      }

      @Override
      public void finish(Summary.Builder out) {
        out.put(DECISIONS, decisions);
        RouterStats router = run.result().router();
        out.put(QUEUED, router.queued());
        out.put(ESTIMATE_ERROR, errors, 1);
        out.put(REGRET, run.result().regretNanos(), 1e6);
        if (router.indexLookUps() > 0) {
          out.put(INDEX_UPDATES, router.indexUpdates());
          out.put(INDEX_LOOK_UPS, router.indexLookUps());
          out.put(INDEX_BLOCKS, router.indexBlocks());
        }
      }
    };
  }
}
