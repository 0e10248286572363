package io.orrery.reports.table;

import io.orrery.engine.record.LevelHistory;
import io.orrery.engine.record.WorkerStats;
import java.io.IOException;
import java.util.List;

/** Every worker, run by run. */
public final class WorkersTable {
  private WorkersTable() {}

  /** The table of some runs. */
  public static ResultTable of(List<RunRows> runs) {
    return new ResultTable(
        "workers",
        new TableColumns()
            .text("run", "Variant.")
            .number("worker", "Its number.")
            .number("gpus", "GPUs that it takes.")
            .number("requests", "Requests placed there.")
            .number("steps", "Forward passes.")
            .number("prefill_busy_ns", "Time of steps beyond what their decodes alone take.")
            .number("decode_busy_ns", "Time that the decodes of the steps alone take.")
            .number("idle_ns", "Rest of the run's time.")
            .number("preemptions", "Requests that lost their blocks.")
            .number("evicted_blocks", "Named blocks whose last copy there was evicted.")
            .number("kv_blocks", "Blocks of its KV cache.")
            .number("peak_blocks", "Most blocks in use at any moment.")
            .decimal("used_blocks_mean", "Blocks in use, mean over the run's time.")
            .decimal("kept_blocks_mean", "Distinct blocks that can be found again, mean.")
            .list(),
        sink -> {
          for (RunRows run : runs) {
            for (WorkerStats worker : run.facts().result().workers()) {
              write(run, worker, sink);
            }
          }
        });
  }

  private static double kept(WorkerStats worker) {
    double sum = 0;
    for (int i = 0; i < LevelHistory.STRETCHES; i++) {
      sum += worker.keptHistory().integral(i);
    }
    return sum;
  }

  private static void write(RunRows run, WorkerStats worker, RowSink sink) throws IOException {
    long end = run.facts().result().endNanos();
    sink.text(run.name());
    sink.number(worker.worker());
    sink.number(worker.gpus());
    sink.number(worker.requests());
    sink.number(worker.steps());
    sink.number(worker.prefillBusyNanos());
    sink.number(worker.decodeBusyNanos());
    sink.number(end - worker.prefillBusyNanos() - worker.decodeBusyNanos());
    sink.number(worker.preemptions());
    sink.number(worker.evictedKeys());
    sink.number(worker.usableBlocks());
    sink.number(worker.peakBlocks());
    sink.decimalOrNothing(end == 0 ? Double.NaN : (double) worker.usedBlockNanos() / end);
    sink.decimalOrNothing(end == 0 ? Double.NaN : kept(worker) / end);
    sink.endRow();
  }
}
