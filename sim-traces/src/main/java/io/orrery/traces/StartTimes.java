package io.orrery.traces;

/** When requests start, where that is not recorded: by their waits alone. */
final class StartTimes {
  private StartTimes() {}

  /**
   * The recorded start of each request, else the latest of its edges with requests of no length.
   */
  static long[] of(Trace trace) {
    TraceColumns columns = trace.columns();
    int[] ready = new int[trace.requestCount()];
    new EdgeTable.Grouped(columns.edgeStart, columns.edgeFrom, columns.edgeDelay).onCycle(ready);
    long[] starts = new long[ready.length];
    for (int r : ready) {
      starts[r] = Math.max(0, trace.arrivalNanos(r));
      if (trace.arrivalNanos(r) == Trace.NO_TIME) {
        for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
          starts[r] = Math.max(starts[r], starts[trace.edgeFrom(e)] + trace.edgeDelayNanos(e));
        }
      }
    }
    return starts;
  }
}
