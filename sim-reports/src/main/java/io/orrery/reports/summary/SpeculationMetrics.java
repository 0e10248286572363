package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;

import io.orrery.engine.record.WorkerStats;
import java.util.List;

/** What speculative decoding brought; absent where nothing was drafted. */
final class SpeculationMetrics implements MetricGroup {
  private static final Metric YIELD =
      Metric.number(
          "speculation.tokens_per_step",
          HIGHER,
          "Output tokens of a decode that verified drafted tokens, in the mean: its own and those accepted.");
  private static final Metric ACCEPTED =
      Metric.number(
          "speculation.accepted", HIGHER, "Share of the drafted tokens that became output.");

  @Override
  public String title() {
    return "Speculative decoding";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(YIELD, ACCEPTED);
  }

  @Override
  public Measure measure(RunFacts run) {
    return out -> put(run.result().workers(), out);
  }

  private static void put(List<WorkerStats> workers, Summary.Builder out) {
    long decodes = workers.stream().mapToLong(WorkerStats::verifications).sum();
    if (decodes == 0) {
      return;
    }
    double accepted = workers.stream().mapToLong(WorkerStats::acceptedTokens).sum();
    long drafted = workers.stream().mapToLong(WorkerStats::draftedTokens).sum();
    out.put(YIELD, 1 + accepted / decodes);
    out.put(ACCEPTED, accepted / drafted);
  }
}
