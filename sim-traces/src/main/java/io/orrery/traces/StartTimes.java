package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/** When requests start, where that is not recorded: by their waits alone. */
final class StartTimes {
  private StartTimes() {}

  /**
   * The recorded start of each request, else the latest of its edges with requests of no length.
   */
  static LongColumn of(Trace trace) {
    TraceColumns columns = trace.columns();
    IntColumn ready = new IntColumn();
    new EdgeTable.Grouped(columns.edgeStart, columns.edgeFrom, columns.edgeDelay).onCycle(ready);
    LongColumn starts = LongColumn.filled(ready.size(), 0);
    for (int i = 0; i < ready.size(); i++) {
      int r = ready.get(i);
      long start = Math.max(0, trace.arrivalNanos(r));
      if (trace.arrivalNanos(r) == Trace.NO_TIME) {
        for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
          start = Math.max(start, starts.get(trace.edgeFrom(e)) + trace.edgeDelayNanos(e));
        }
      }
      starts.set(r, start);
    }
    ready.release();
    return starts;
  }
}
