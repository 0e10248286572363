package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;
import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.RunColumns;
import java.util.List;

/** What became of the requests. */
final class RequestMetrics implements MetricGroup {
  private static final Metric DISPATCHED =
      Metric.count(
          "requests.dispatched",
          NEITHER,
          "Requests that were sent; each is counted again in exactly one of the next five.");
  private static final Metric COMPLETED =
      Metric.count("requests.completed", HIGHER, "Requests that got all of their output.");
  private static final Metric REJECTED =
      Metric.count(
          "requests.rejected",
          LOWER,
          "Requests that were refused, such as a prompt longer than the worker takes; their session"
              + " goes on.");
  private static final Metric CANCELLED =
      Metric.count("requests.cancelled", LOWER, "Requests that their client gave up.");
  private static final Metric FAILED =
      Metric.count("requests.failed", LOWER, "Requests that were lost with their worker.");
  private static final Metric UNFINISHED =
      Metric.count(
          "requests.unfinished", LOWER, "Requests that had not ended when the run was cut off.");
  private static final Metric CLIPPED =
      Metric.count(
          "requests.clipped",
          LOWER,
          "Requests that got fewer output tokens than recorded, since the model's length was reached;"
              + " they are counted above as well.");

  @Override
  public String title() {
    return "Requests";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(DISPATCHED, COMPLETED, REJECTED, CANCELLED, FAILED, UNFINISHED, CLIPPED);
  }

  @Override
  public Measure measure(RunFacts run) {
    RunColumns columns = run.columns();
    return new Measure() {
      private final long[] inState = new long[RequestState.values().length];
      private long dispatched;
      private long clipped;

      @Override
      public void row(RequestRow row) {
        dispatched++;
        inState[row.state().ordinal()]++;
        clipped += columns.clippedTokens(row.row()) > 0 ? 1 : 0;
      }

      @Override
      public void finish(Summary.Builder out) {
        long completed = inState[RequestState.FINISHED.ordinal()];
        long rejected = inState[RequestState.REJECTED.ordinal()];
        long cancelled = inState[RequestState.CANCELLED.ordinal()];
        long failed = inState[RequestState.FAILED.ordinal()];
        out.put(DISPATCHED, dispatched);
        out.put(COMPLETED, completed);
        out.put(REJECTED, rejected);
        out.put(CANCELLED, cancelled);
        out.put(FAILED, failed);
        out.put(UNFINISHED, dispatched - completed - rejected - cancelled - failed);
        out.put(CLIPPED, clipped);
      }
    };
  }
}
