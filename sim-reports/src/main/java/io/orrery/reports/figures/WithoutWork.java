package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.summary.RunFacts;
import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/** For how much of its time the workers have no request that has begun and not ended. */
final class WithoutWork {
  private WithoutWork() {}

  /**
   * The share of all GPUs' time up to a moment; NaN if that is the beginning.
   *
   * @param until in nanoseconds
   */
  static double share(RunFacts run, long until) {
    RunColumns columns = run.columns();
    LongColumn begins = new LongColumn();
    IntColumn rows = new IntColumn();
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row) && run.admitted(row) && columns.scheduledNanos(row) < until) {
        begins.add(columns.scheduledNanos(row));
        rows.add(row);
      }
    }
    IntColumn order = StableOrder.of(begins);
    long[] busyUntil = new long[run.result().workers().size()];
    double[] idle = new double[busyUntil.length];
    for (int i = 0; i < order.size(); i++) {
      int row = rows.get(order.get(i));
      int worker = columns.worker(row);
      long end = columns.state(row).isTerminal() ? columns.endNanos(row) : until;
      idle[worker] += Math.max(0, columns.scheduledNanos(row) - busyUntil[worker]);
      busyUntil[worker] = Math.max(busyUntil[worker], Math.min(until, end));
    }
    begins.release();
    double sum = 0;
    for (int worker = 0; worker < idle.length; worker++) {
      sum += (idle[worker] + until - busyUntil[worker]) * run.result().workers().get(worker).gpus();
    }
    return until == 0 ? Double.NaN : sum / ((double) until * run.gpus());
  }
}
