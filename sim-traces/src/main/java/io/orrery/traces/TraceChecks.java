package io.orrery.traces;

import java.util.Arrays;

/** Checks what every trace promises, in arrays that a file has filled. */
final class TraceChecks {
  private final String name;
  private final TraceColumns c;

  TraceChecks(String name, TraceColumns columns) {
    this.name = name;
    c = columns;
  }

  /**
   * @throws TraceException naming the column of the first broken promise
   */
  void check() {
    if (c.session.length == 0) {
      throw new TraceException(name, 0, null, "no requests", "at least one request");
    }
    checkNumbers();
    checkRuns();
    checkChains();
    checkOrder();
    checkEdges();
  }

  private void checkNumbers() {
    for (int r = 0; r < c.session.length; r++) {
      range(OrreryColumns.INPUT, r, c.input[r], 1, TraceAssembler.MAX_TOKENS);
      range(OrreryColumns.OUTPUT, r, c.output[r], 1, TraceAssembler.MAX_TOKENS);
      range(OrreryColumns.ARRIVAL, r, c.arrival[r], Trace.NO_TIME, TraceAssembly.LATEST_START);
      range(OrreryColumns.IDENTIFIED, r, c.identified[r], 0, c.input[r] / c.blockSize);
      range(OrreryColumns.PARTIAL, r, c.partial == null ? -1 : c.partial[r], -1, c.blockCount - 1);
      range(OrreryColumns.CACHED, r, c.cached == null ? -1 : c.cached[r], -1, Integer.MAX_VALUE);
      range(OrreryColumns.TTFT, r, c.ttft == null ? -1 : c.ttft[r], -1, Decimals.MAX_NANOS);
      range(OrreryColumns.TOTAL, r, c.total == null ? -1 : c.total[r], -1, Decimals.MAX_NANOS);
      if (c.arrival[r] == Trace.NO_TIME && c.edgeStart[r] == c.edgeStart[r + 1]) {
        throw wrong(OrreryColumns.ARRIVAL, r, "no time", "a start, or a request to wait for");
      }
    }
  }

  private void checkRuns() {
    for (int r = 0; r < c.session.length; r++) {
      long blocks = 0;
      for (int run = c.runStart[r]; run < c.runStart[r + 1]; run++) {
        range(OrreryColumns.RUN_FIRST, r, c.runFirst[run], 0, c.blockCount - 1);
        range(OrreryColumns.RUN_LENGTH, r, c.runLength[run], 1, c.blockCount - c.runFirst[run]);
        blocks += c.runLength[run];
        if (run + 1 == c.promptRunEnd[r]) {
          range(OrreryColumns.IDENTIFIED, r, c.identified[r], blocks, blocks);
        }
      }
      if (c.promptRunEnd[r] == c.runStart[r]) {
        range(OrreryColumns.IDENTIFIED, r, c.identified[r], 0, 0);
      }
      long most = ((long) c.input[r] + c.output[r]) / c.blockSize + 1;
      range(OrreryColumns.RUN_LENGTH, r, blocks, c.identified[r], Math.max(most, c.identified[r]));
    }
  }

  /** One block has one predecessor: looked at where runs begin, and counted inside of them. */
  private void checkChains() {
    int blocks = highestBlock() + 1;
    long bytes = 2L * Integer.BYTES * blocks;
    if (bytes > Runtime.getRuntime().maxMemory() / 2) {
      throw new TraceException(
          name,
          0,
          OrreryColumns.RUN_FIRST,
          blocks + " blocks",
          "as many as half of Java's memory holds, 8 bytes each");
    }
    int[] predecessor = new int[blocks];
    Arrays.fill(predecessor, Integer.MIN_VALUE);
    int[] inside = new int[blocks + 1];
    for (int r = 0; r < c.session.length; r++) {
      int before = BlockIds.NONE;
      for (int run = c.runStart[r]; run < c.runStart[r + 1]; run++) {
        int first = c.runFirst[run];
        if (predecessor[first] != Integer.MIN_VALUE && predecessor[first] != before) {
          throw twoPredecessors(r, first);
        }
        predecessor[first] = before;
        before = first + c.runLength[run] - 1;
        if (before > first) {
          inside[first + 1]++;
          inside[before + 1]--;
        }
      }
    }
    int depth = 0;
    for (int id = 0; id < blocks; id++) {
      depth += inside[id];
      if (depth > 0 && predecessor[id] != Integer.MIN_VALUE && predecessor[id] != id - 1) {
        throw twoPredecessors(-1, id);
      }
    }
  }

  private int highestBlock() {
    int highest = -1;
    for (int run = 0; run < c.runFirst.length; run++) {
      highest = Math.max(highest, c.runFirst[run] + c.runLength[run] - 1);
    }
    return highest;
  }

  private TraceException twoPredecessors(int row, int block) {
    return wrong(
        OrreryColumns.RUN_FIRST,
        row,
        "block " + block + " behind two different blocks",
        "each block behind one");
  }

  private void checkOrder() {
    long latest = 0;
    int open = -1;
    for (int r = 0; r < c.session.length; r++) {
      if (!c.sharedClock) {
        if (c.session[r] < open) {
          throw wrong(
              OrreryColumns.SESSION,
              r,
              "session " + c.session[r] + " after session " + open,
              "one session after the other, since they have no clock in common");
        }
        open = c.session[r];
      } else {
        boolean free = c.turn[r] == 0 && c.edgeStart[r] == c.edgeStart[r + 1];
        if (free && c.arrival[r] < latest) {
          throw wrong(
              OrreryColumns.ARRIVAL,
              r,
              Long.toString(c.arrival[r]),
              "rows by start, so at least " + latest);
        }
        latest = Math.max(latest, c.arrival[r]);
      }
    }
  }

  private void checkEdges() {
    int n = c.session.length;
    for (int r = 0; r < n; r++) {
      for (int e = c.edgeStart[r]; e < c.edgeStart[r + 1]; e++) {
        range(OrreryColumns.WAIT_FOR, r, c.edgeFrom[e], 0, n - 1L);
      }
    }
    EdgeTable.Grouped edges = new EdgeTable.Grouped(c.edgeStart, c.edgeFrom, c.edgeDelay);
    int[] ready = new int[n];
    int stuck = edges.onCycle(ready);
    if (stuck >= 0) {
      throw wrong(
          OrreryColumns.WAIT_FOR,
          stuck,
          "itself through other requests",
          "waiting without a cycle");
    }
    long[] earliest = new long[n];
    for (int r : ready) {
      long start = Math.max(0, c.arrival[r]);
      for (int e = c.edgeStart[r]; e < c.edgeStart[r + 1]; e++) {
        long before = earliest[c.edgeFrom[e]];
        long delay = EdgeTable.Grouped.delay(c.edgeDelay[e]);
        range(OrreryColumns.WAIT_NANOS, r, delay, 0, TraceAssembly.LATEST_START - before);
        start = Math.max(start, before + delay);
      }
      earliest[r] = start;
    }
  }

  private void range(String column, int row, long value, long least, long most) {
    if (value < least || value > most) {
      throw wrong(column, row, Long.toString(value), least + " to " + most);
    }
  }

  private TraceException wrong(String column, int row, String value, String expected) {
    return new TraceException(
        name, 0, column, row < 0 ? value : value + " in row " + row, expected);
  }
}
