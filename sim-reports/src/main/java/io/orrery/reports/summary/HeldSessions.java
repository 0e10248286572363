package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.traces.StableOrder;
import java.util.Arrays;

/** How many root sessions have a request that admission holds back, over the time of a run. */
final class HeldSessions {
  private HeldSessions() {}

  /** The level over the whole run. */
  static LevelOverTime of(RunFacts run) {
    RunColumns columns = run.columns();
    long end = run.result().endNanos();
    // Moments, a bit for the end of a wait, and the row: sorted, waits begin before others end.
    long[] moments = new long[2 * columns.rows()];
    int[] rows = new int[moments.length];
    int count = 0;
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row) && until(columns, row, end) > columns.arrivalNanos(row)) {
        moments[count] = columns.arrivalNanos(row) << 1;
        rows[count++] = row;
        moments[count] = until(columns, row, end) << 1 | 1;
        rows[count++] = row;
      }
    }
    int[] order = StableOrder.of(Arrays.copyOf(moments, count));
    int[] waiting = new int[run.sessions().count()];
    LevelOverTime level = new LevelOverTime();
    long held = 0;
    long now = 0;
    for (int i : order) {
      long moment = moments[i] >> 1;
      level.add(held, moment - now);
      now = moment;
      int root = run.sessions().root(run.session(rows[i]));
      if ((moments[i] & 1) == 0) {
        held += waiting[root]++ == 0 ? 1 : 0;
      } else {
        held -= --waiting[root] == 0 ? 1 : 0;
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
