package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/** How many root sessions have a request that admission holds back, over the time of a run. */
final class HeldSessions {
  private HeldSessions() {}

  /** The level over the whole run. */
  static LevelOverTime of(RunFacts run) {
    RunColumns columns = run.columns();
    long end = run.result().endNanos();
    // Moments, a bit for the end of a wait, and the row: sorted, waits begin before others end.
    LongColumn moments = new LongColumn();
    IntColumn rows = new IntColumn();
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row) && until(columns, row, end) > columns.arrivalNanos(row)) {
        moments.add(columns.arrivalNanos(row) << 1);
        rows.add(row);
        moments.add(until(columns, row, end) << 1 | 1);
        rows.add(row);
      }
    }
    IntColumn order = StableOrder.of(moments);
    IntColumn waiting = IntColumn.filled(run.sessions().count(), 0);
    LevelOverTime level = new LevelOverTime();
    long held = 0;
    long now = 0;
    for (int i = 0; i < order.size(); i++) {
      int at = order.get(i);
      long moment = moments.get(at) >> 1;
      level.add(held, moment - now);
      now = moment;
      int root = run.sessions().root(run.session(rows.get(at)));
      boolean begins = (moments.get(at) & 1) == 0;
      waiting.increase(root, begins ? 1 : -1);
      if (waiting.get(root) == (begins ? 1 : 0)) {
        held += begins ? 1 : -1;
      }
    }
    level.add(held, end - now);
    return level;
  }

  /** When the wait of a request ended: it went on, was refused, or the run was over. */
  private static long until(RunColumns columns, int row, long end) {
    if (columns.admittedNanos(row) != RunColumns.NO_TIME) {
      return columns.admittedNanos(row);
    }
    return columns.state(row).isTerminal() ? columns.endNanos(row) : end;
  }
}
