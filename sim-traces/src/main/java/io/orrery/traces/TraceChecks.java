package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import org.jspecify.annotations.Nullable;

/** Checks what every trace promises, in arrays that a file has filled. */
final class TraceChecks {
  private static final long MOST_BLOCKS_A_RUN = 64;

  private final String name;
  private final TraceColumns c;

  TraceChecks(String name, TraceColumns columns) {
    this.name = name;
    c = columns;
  }

  /**
   * @param inTwoThreads whether another thread may do half of it
   * @throws TraceException naming the column of the first broken promise
   */
  void check(boolean inTwoThreads) {
    if (c.session.size() == 0) {
      throw new TraceException(name, 0, null, "no requests", "at least one request");
    }
    Computed<Boolean> others = Computed.of(inTwoThreads, this::checkChainsAndOrder);
    // What the others find counts only if this finds nothing.
    checkNumbers();
    checkRuns();
    others.get();
  }

  private boolean checkChainsAndOrder() {
    checkChains();
    checkOrder();
    checkEdges();
    return true;
  }

  private void checkNumbers() {
    for (int r = 0; r < c.session.size(); r++) {
      range(OrreryColumns.INPUT, r, c.input.get(r), 1, TraceAssembler.MAX_TOKENS);
      range(OrreryColumns.OUTPUT, r, c.output.get(r), 1, TraceAssembler.MAX_TOKENS);
      range(OrreryColumns.ARRIVAL, r, c.arrival.get(r), Trace.NO_TIME, TraceAssembly.LATEST_START);
      range(OrreryColumns.IDENTIFIED, r, c.identified.get(r), 0, c.input.get(r) / c.blockSize);
      range(
          OrreryColumns.PARTIAL,
          r,
          c.partial == null ? -1 : c.partial.get(r),
          -1,
          c.blockCount - 1);
      range(
          OrreryColumns.CACHED, r, c.cached == null ? -1 : c.cached.get(r), -1, Integer.MAX_VALUE);
      range(OrreryColumns.TTFT, r, c.ttft == null ? -1 : c.ttft.get(r), -1, Decimals.MAX_NANOS);
      range(OrreryColumns.TOTAL, r, c.total == null ? -1 : c.total.get(r), -1, Decimals.MAX_NANOS);
      if (c.arrival.get(r) == Trace.NO_TIME && c.edgeStart.get(r) == c.edgeStart.get(r + 1)) {
        throw wrong(OrreryColumns.ARRIVAL, r, "no time", "a start, or a request to wait for");
      }
    }
  }

  private void checkRuns() {
    for (int r = 0; r < c.session.size(); r++) {
      long blocks = 0;
      for (int run = c.runStart.get(r); run < c.runStart.get(r + 1); run++) {
        range(OrreryColumns.RUN_FIRST, r, c.runFirst.get(run), 0, c.blockCount - 1);
        range(
            OrreryColumns.RUN_LENGTH,
            r,
            c.runLength.get(run),
            1,
            c.blockCount - c.runFirst.get(run));
        blocks += c.runLength.get(run);
        if (run + 1 == c.promptRunEnd.get(r)) {
          range(OrreryColumns.IDENTIFIED, r, c.identified.get(r), blocks, blocks);
        }
      }
      if (c.promptRunEnd.get(r) == c.runStart.get(r)) {
        range(OrreryColumns.IDENTIFIED, r, c.identified.get(r), 0, 0);
      }
      long most = ((long) c.input.get(r) + c.output.get(r)) / c.blockSize + 1;
      range(
          OrreryColumns.RUN_LENGTH,
          r,
          blocks,
          c.identified.get(r),
          Math.max(most, c.identified.get(r)));
    }
  }

  /**
   * One block has one predecessor: looked at where runs begin. Those that begin behind another
   * block than the one numbered before them cannot be inside of a run.
   */
  private void checkChains() {
    int blocks = highestBlock() + 1;
    checkNumberOf(blocks);
    IntColumn predecessor = IntColumn.filled(blocks, Integer.MIN_VALUE);
    long[] breaks = new long[(blocks >> 6) + 1];
    for (int r = 0; r < c.session.size(); r++) {
      int before = BlockIds.NONE;
      for (int run = c.runStart.get(r); run < c.runStart.get(r + 1); run++) {
        int first = c.runFirst.get(run);
        int known = predecessor.get(first);
        if (known != Integer.MIN_VALUE && known != before) {
          throw twoPredecessors(r, first);
        }
        predecessor.set(first, before);
        if (before != first - 1) {
          breaks[first >> 6] |= 1L << first;
        }
        before = first + c.runLength.get(run) - 1;
      }
    }
    predecessor.release();
    for (int run = 0; run < c.runFirst.size(); run++) {
      int first = c.runFirst.get(run);
      int inside = firstOf(breaks, first + 1, first + c.runLength.get(run));
      if (inside >= 0) {
        throw twoPredecessors(-1, inside);
      }
    }
  }

  /** The first bit set of [from, to), or -1. */
  private static int firstOf(long[] bits, int from, int to) {
    for (int word = from >> 6; word << 6 < to; word++) {
      long ofWord = word == from >> 6 ? bits[word] & -1L << from : bits[word];
      if (ofWord != 0) {
        int first = (word << 6) + Long.numberOfTrailingZeros(ofWord);
        return first < to ? first : -1;
      }
    }
    return -1;
  }

  /** A small file may name any number of blocks: those of big traces are many runs. */
  private void checkNumberOf(int blocks) {
    long bytes = (long) Integer.BYTES * blocks + blocks / Byte.SIZE;
    if (bytes > Runtime.getRuntime().maxMemory() / 2
        && blocks > MOST_BLOCKS_A_RUN * c.runFirst.size()) {
      throw new TraceException(
          name,
          0,
          OrreryColumns.RUN_FIRST,
          blocks + " blocks",
          "as many as half of Java's memory holds, 4 bytes each, or "
              + MOST_BLOCKS_A_RUN
              + " for each of the "
              + c.runFirst.size()
              + " runs");
    }
  }

  private int highestBlock() {
    int highest = -1;
    for (int run = 0; run < c.runFirst.size(); run++) {
      highest = Math.max(highest, c.runFirst.get(run) + c.runLength.get(run) - 1);
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
    for (int r = 0; r < c.session.size(); r++) {
      if (!c.sharedClock) {
        if (c.session.get(r) < open) {
          throw wrong(
              OrreryColumns.SESSION,
              r,
              "session " + c.session.get(r) + " after session " + open,
              "one session after the other, since they have no clock in common");
        }
        open = c.session.get(r);
      } else {
        boolean free = c.turn.get(r) == 0 && c.edgeStart.get(r) == c.edgeStart.get(r + 1);
        if (free && c.arrival.get(r) < latest) {
          throw wrong(
              OrreryColumns.ARRIVAL,
              r,
              Long.toString(c.arrival.get(r)),
              "rows by start, so at least " + latest);
        }
        latest = Math.max(latest, c.arrival.get(r));
      }
    }
  }

  private void checkEdges() {
    int n = c.session.size();
    boolean backwards = true;
    for (int r = 0; r < n; r++) {
      for (int e = c.edgeStart.get(r); e < c.edgeStart.get(r + 1); e++) {
        range(OrreryColumns.WAIT_FOR, r, c.edgeFrom.get(e), 0, n - 1L);
        backwards &= c.edgeFrom.get(e) < r;
      }
    }
    if (c.edgeFrom.size() > 0) {
      checkDelays(backwards ? null : inOrderOfWaiting());
    }
  }

  /** The requests, each after those that it waits for. */
  private IntColumn inOrderOfWaiting() {
    IntColumn ready = new IntColumn();
    int stuck = new EdgeTable.Grouped(c.edgeStart, c.edgeFrom, c.edgeDelay).onCycle(ready);
    if (stuck >= 0) {
      throw wrong(
          OrreryColumns.WAIT_FOR,
          stuck,
          "itself through other requests",
          "waiting without a cycle");
    }
    return ready;
  }

  /**
   * @param order of the requests, each after those that it waits for; null for that of the rows
   */
  private void checkDelays(@Nullable IntColumn order) {
    int n = c.session.size();
    LongColumn earliest = LongColumn.filled(n, 0);
    for (int i = 0; i < n; i++) {
      int r = order == null ? i : order.get(i);
      long start = Math.max(0, c.arrival.get(r));
      for (int e = c.edgeStart.get(r); e < c.edgeStart.get(r + 1); e++) {
        long before = earliest.get(c.edgeFrom.get(e));
        long delay = EdgeTable.Grouped.delay(c.edgeDelay.get(e));
        range(OrreryColumns.WAIT_NANOS, r, delay, 0, TraceAssembly.LATEST_START - before);
        start = Math.max(start, before + delay);
      }
      earliest.set(r, start);
    }
    earliest.release();
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
