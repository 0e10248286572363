package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;
import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.WorkerStats;
import java.util.List;

/** How much KV memory there is, how much is needed, and how much is left. */
final class HeadroomMetrics implements MetricGroup {
  private static final int LEVELS = 1000;

  private static final Metric POOL =
      Metric.count(
          "headroom.kv_pool_tokens", NEITHER, "Tokens that the KV caches of all workers hold.");
  private static final Metric WORKING_SET =
      Metric.level(
          "headroom.working_set_tokens",
          NEITHER,
          "Working set: tokens in distinct blocks of live sessions' contexts, where a session's"
              + " context is its last request sent and any that has not ended (the prompt, and once it"
              + " has ended the output), kept until its next request is sent or the session is"
              + " completed.");
  private static final Metric USED =
      Metric.level(
          "headroom.used_fraction",
          LOWER,
          "Share of a worker's KV blocks in use by requests, over time and workers, in steps of a"
              + " thousandth (the maximum is exact); cached blocks that no request uses are free.");
  private static final Metric HEADROOM =
      Metric.number("headroom.fraction", HIGHER, "Headroom: 1 - headroom.used_fraction.p99.");

  private static final Metric ABOVE_80 =
      Metric.number(
          "headroom.time_above_80",
          LOWER,
          "Share of all workers' time with 80 % of the blocks in use or more.");
  private static final Metric ABOVE_95 =
      Metric.number(
          "headroom.time_above_95",
          LOWER,
          "Share of all workers' time with 95 % of the blocks in use or more.");

  @Override
  public String title() {
    return "Memory headroom";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(POOL, WORKING_SET, USED, HEADROOM, ABOVE_80, ABOVE_95);
  }

  @Override
  public Measure measure(RunFacts run) {
    return out -> put(run, out);
  }

  private static void put(RunFacts run, Summary.Builder out) {
    long block = run.result().blockSize();
    if (run.result().workers().stream().anyMatch(WorkerStats::unlimited)) {
      out.put(WORKING_SET, run.timeline().workingSet(), block);
      return;
    }
    long pool = 0;
    LevelOverTime used = new LevelOverTime();
    double peak = 0;
    double usedNanos = 0;
    for (WorkerStats worker : run.result().workers()) {
      pool += (long) worker.usableBlocks() * worker.blockTokens();
      for (int level = 0; level <= LEVELS; level++) {
        used.add(level, worker.nanosAtLevel(level));
      }
      peak = Math.max(peak, (double) worker.peakBlocks() / worker.usableBlocks());
      usedNanos += (double) worker.usedBlockNanos() / worker.usableBlocks();
    }
    out.put(POOL, pool);
    out.put(WORKING_SET, run.timeline().workingSet(), block);
    if (used.nanos() > 0) {
      out.put(
          USED,
          used.quantile(0.5) / (double) LEVELS,
          used.quantile(0.95) / (double) LEVELS,
          used.quantile(0.99) / (double) LEVELS,
          usedNanos / used.nanos(),
          peak);
      out.put(HEADROOM, (LEVELS - used.quantile(0.99)) / (double) LEVELS);
      out.put(ABOVE_80, nanosAbove(run, 800) / used.nanos());
      out.put(ABOVE_95, nanosAbove(run, 950) / used.nanos());
    }
  }

  private static double nanosAbove(RunFacts run, int least) {
    double nanos = 0;
    for (WorkerStats worker : run.result().workers()) {
      for (int level = least; level <= LEVELS; level++) {
        nanos += worker.nanosAtLevel(level);
      }
    }
    return nanos;
  }
}
