package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;

import java.util.List;

/** What the cluster delivers. */
final class ThroughputMetrics implements MetricGroup {
  private static final Metric OUTPUT =
      Metric.number("output_tokens_per_s", HIGHER, "Output tokens per simulated second.");
  private static final Metric REQUESTS =
      Metric.number("requests_per_s", HIGHER, "Completed requests per simulated second.");
  private static final Metric GOODPUT =
      Metric.number(
          "goodput_rps",
          HIGHER,
          "Completed requests per simulated second that kept both promises of the scenario's slo:"
              + " time to first token, and output tokens per second after it (1 / TPOT), which a"
              + " one-token output always keeps.");
  private static final Metric PER_GPU =
      Metric.number(
          "output_tokens_per_s_per_gpu", HIGHER, "Output tokens per simulated second and GPU.");

  @Override
  public String title() {
    return "Throughput";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(OUTPUT, REQUESTS, GOODPUT, PER_GPU);
  }

  @Override
  public Measure measure(RunFacts run) {
    return new Measure() {
      private long output;
      private long completed;
      private long good;

      @Override
      public void row(RequestRow row) {
        output += row.outputTokens();
        if (row.finished()) {
          completed++;
          good += run.slo().kept(row) ? 1 : 0;
        }
      }

      @Override
      public void finish(Summary.Builder out) {
        out.put(OUTPUT, run.perSecond(output));
        out.put(REQUESTS, run.perSecond(completed));
        out.put(GOODPUT, run.perSecond(good));
        out.put(PER_GPU, run.perSecond(output) / run.gpus());
      }
    };
  }
}
