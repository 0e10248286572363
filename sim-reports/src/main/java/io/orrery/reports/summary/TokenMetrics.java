package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.WorkerStats;
import java.util.List;

/** How much was read, written, and done twice. */
final class TokenMetrics implements MetricGroup {
  private static final Metric INPUT =
      Metric.count(
          "tokens.input",
          NEITHER,
          "Input tokens of the requests that were taken into a step; the ledger splits them.");
  private static final Metric OUTPUT =
      Metric.count("tokens.output", NEITHER, "Output tokens that were generated.");
  private static final Metric REDO =
      Metric.count(
          "redo_tokens",
          LOWER,
          "Tokens computed again after a preemption; they are not input, and not in the ledger.");
  private static final Metric PREEMPTIONS =
      Metric.count(
          "preemptions",
          LOWER,
          "Times that a running request lost its blocks to another and had to start again.");

  @Override
  public String title() {
    return "Tokens";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(INPUT, OUTPUT, REDO, PREEMPTIONS);
  }

  @Override
  public Measure measure(RunFacts run) {
    RunColumns columns = run.columns();
    return new Measure() {
      private long input;
      private long output;
      private long redo;

      @Override
      public void row(RequestRow row) {
        input += row.inStep() ? row.inputTokens() : 0;
        output += row.outputTokens();
        redo += columns.redoTokens(row.row());
      }

      @Override
      public void finish(Summary.Builder out) {
        out.put(INPUT, input);
        out.put(OUTPUT, output);
        out.put(REDO, redo);
        out.put(
            PREEMPTIONS, run.result().workers().stream().mapToLong(WorkerStats::preemptions).sum());
      }
    };
  }
}
