package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.summary.RunFacts;
import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * How far workers are occupied by requests that have begun and not ended.
 *
 * @param without the share of all GPUs' time in which their worker has none; NaN without any time
 * @param atOnce how many a worker that has any has on average; NaN if none ever has
 */
record Occupation(double without, double atOnce) {
  /**
   * From the beginning up to a moment.
   *
   * @param until in nanoseconds
   */
  static Occupation of(RunFacts run, long until) {
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
    double[] without = new double[busyUntil.length];
    double requestNanos = 0;
    for (int i = 0; i < order.size(); i++) {
      int row = rows.get(order.get(i));
      int worker = columns.worker(row);
      long begin = columns.scheduledNanos(row);
      long end = columns.state(row).isTerminal() ? Math.min(until, columns.endNanos(row)) : until;
      without[worker] += Math.max(0, begin - busyUntil[worker]);
      busyUntil[worker] = Math.max(busyUntil[worker], end);
      requestNanos += end - begin;
    }
    begins.release();
    double gpuNanos = 0;
    double busyNanos = 0;
    for (int worker = 0; worker < without.length; worker++) {
      without[worker] += until - busyUntil[worker];
      gpuNanos += without[worker] * run.result().workers().get(worker).gpus();
      busyNanos += until - without[worker];
    }
    return new Occupation(
        until == 0 ? Double.NaN : gpuNanos / ((double) until * run.gpus()),
        busyNanos == 0 ? Double.NaN : requestNanos / busyNanos);
  }
}
