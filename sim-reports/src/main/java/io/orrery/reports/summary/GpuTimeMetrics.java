package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.WorkerStats;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the GPUs did, in two ledgers: a faster decode is no gain of routing. */
final class GpuTimeMetrics implements MetricGroup {
  private static final Metric PREFILL =
      Metric.number(
          "gpu_seconds.prefill",
          LOWER,
          "GPU-seconds of steps beyond what their decodes alone would have taken.");
  private static final Metric DECODE =
      Metric.number("gpu_seconds.decode", NEITHER, "GPU-seconds that the decodes of steps take.");
  private static final Metric IDLE =
      Metric.number(
          "gpu_seconds.idle",
          NEITHER,
          "GPU-seconds without a step; the three sum to GPUs times simulated_s.");
  private static final Metric BUSY_IMBALANCE =
      Metric.number(
          "imbalance.busy", LOWER, "Busy time of the busiest worker over that of the mean one.");
  private static final Metric KV_IMBALANCE =
      Metric.number(
          "imbalance.kv",
          LOWER,
          "Mean share of KV blocks in use on the fullest worker over that on the mean one.");
  private static final Metric SIMULATED =
      Metric.number(
          "simulated_s", NEITHER, "Simulated seconds from the start to the last event of the run.");

  @Override
  public String title() {
    return "GPU time";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(PREFILL, DECODE, IDLE, BUSY_IMBALANCE, KV_IMBALANCE, SIMULATED);
  }

  @Override
  public Measure measure(RunFacts run) {
    return out -> put(run, out);
  }

  private static void put(RunFacts run, Summary.Builder out) {
    BigDecimal prefill = BigDecimal.ZERO;
    BigDecimal decode = BigDecimal.ZERO;
    for (WorkerStats worker : run.result().workers()) {
      BigDecimal gpus = BigDecimal.valueOf(worker.gpus());
      prefill = prefill.add(gpus.multiply(BigDecimal.valueOf(worker.prefillBusyNanos())));
      decode = decode.add(gpus.multiply(BigDecimal.valueOf(worker.decodeBusyNanos())));
    }
    BigDecimal all = run.seconds().multiply(BigDecimal.valueOf(run.gpus()));
    out.put(PREFILL, Decimals.seconds(prefill));
    out.put(DECODE, Decimals.seconds(decode));
    out.put(IDLE, all.subtract(Decimals.seconds(prefill.add(decode))));
    out.put(
        BUSY_IMBALANCE,
        maxOverMean(
            run.result().workers(),
            worker -> (double) worker.prefillBusyNanos() + worker.decodeBusyNanos()));
    out.put(
        KV_IMBALANCE,
        maxOverMean(
            run.result().workers(),
            worker -> (double) worker.usedBlockNanos() / worker.usableBlocks()));
    out.put(SIMULATED, run.seconds());
  }

  /** NaN where the mean is 0. */
  private static double maxOverMean(
      List<WorkerStats> workers, ToDoubleFunction<WorkerStats> value) {
    double max = 0;
    double sum = 0;
    for (WorkerStats worker : workers) {
      max = Math.max(max, value.applyAsDouble(worker));
      sum += value.applyAsDouble(worker);
    }
    return max * workers.size() / sum;
  }
}
