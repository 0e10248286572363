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
  private static final Metric SPEED_UP =
      Metric.number(
          "speculation.decode_speedup",
          HIGHER,
          "How much faster tokens were decoded than the same batches decode without drafts: tokens per step times the decode time of the"
              + " same steps with one token a request, over the decode time, drafting included. A gain of decoding, never of"
              + " routing; below 1 drafting costs more than it brings.");

  @Override
  public String title() {
    return "Speculative decoding";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(YIELD, ACCEPTED, SPEED_UP);
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
    double plain = workers.stream().mapToLong(WorkerStats::plainDecodeNanos).sum();
    long busy = workers.stream().mapToLong(WorkerStats::decodeBusyNanos).sum();
    double perStep = 1 + accepted / decodes;
    out.put(YIELD, perStep);
    out.put(ACCEPTED, accepted / drafted);
    out.put(SPEED_UP, perStep * plain / busy);
  }
}
