package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.BitSet;

/** The dispatch edges of a trace under construction. */
final class EdgeTable {
  private final TraceAssembler assembler;
  private final IntColumn to = new IntColumn();

  /** The request to wait for; -2 - n stands for the n-th name, resolved at the end. */
  private final IntColumn from = new IntColumn();

  /** The delay; ~delay where the trigger is the dispatch. */
  private final LongColumn delay = new LongColumn();

  private final TextIndex names = new TextIndex();
  private final BitSet waiting = new BitSet();

  EdgeTable(TraceAssembler assembler) {
    this.assembler = assembler;
  }

  int count() {
    return to.size();
  }

  /** Whether the request waits for anything. */
  boolean has(int request) {
    return waiting.get(request);
  }

  void add(int toRequest, int fromRequest, EdgeTrigger trigger, long delayNanos) {
    if (delayNanos < 0) {
      throw assembler.wrong(toRequest, "delay", Long.toString(delayNanos), "at least 0 ns");
    }
    to.add(toRequest);
    from.add(fromRequest);
    delay.add(trigger == EdgeTrigger.DISPATCH ? ~delayNanos : delayNanos);
    waiting.set(toRequest);
  }

  void add(int toRequest, String fromId, EdgeTrigger trigger, long delayNanos) {
    add(toRequest, -2 - names.add(fromId), trigger, delayNanos);
  }

  /**
   * The edges grouped by the request that waits, those of one request in the order of their
   * addition.
   */
  Grouped grouped() {
    int requests = assembler.requestCount();
    IntColumn start = IntColumn.filled(requests + 1, 0);
    for (int e = 0; e < count(); e++) {
      start.increase(to.get(e) + 1, 1);
    }
    for (int r = 0; r < requests; r++) {
      start.increase(r + 1, start.get(r));
    }
    IntColumn next = start.copy();
    IntColumn groupedFrom = IntColumn.filled(count(), 0);
    LongColumn groupedDelay = LongColumn.filled(count(), 0);
    for (int e = 0; e < count(); e++) {
      int place = next.get(to.get(e));
      next.set(to.get(e), place + 1);
      groupedFrom.set(place, resolved(e));
      groupedDelay.set(place, delay.get(e));
    }
    next.release();
    return new Grouped(start, groupedFrom, groupedDelay);
  }

  /** Gives up the edges, which must have been {@link #grouped}. */
  void release() {
    to.release();
    from.release();
    delay.release();
  }

  private int resolved(int edge) {
    int request = from.get(edge);
    if (request < -1) {
      String name = names.get(-2 - request);
      request = assembler.requestWithId(name);
      if (request < 0) {
        throw assembler.wrong(
            to.get(edge), "waits for", '"' + name + '"', "a request of this trace");
      }
    }
    return request;
  }

  /** Edges of request r: [start[r], start[r + 1]). */
  record Grouped(IntColumn start, IntColumn from, LongColumn codedDelay) {
    static long delay(long coded) {
      return coded < 0 ? ~coded : coded;
    }

    void release() {
      start.release();
      from.release();
      codedDelay.release();
    }

    /**
     * A request on a cycle, -1 where there is no cycle (so every request can be dispatched at some
     * time).
     *
     * @param ready empty; the requests are added to it, each after those that it waits for
     */
    int onCycle(IntColumn ready) {
      int requests = start.size() - 1;
      if (isInOrder()) {
        for (int r = 0; r < requests; r++) {
          ready.add(r);
        }
        return -1;
      }
      IntColumn successorStart = IntColumn.filled(requests + 1, 0);
      for (int e = 0; e < from.size(); e++) {
        successorStart.increase(from.get(e) + 1, 1);
      }
      for (int r = 0; r < requests; r++) {
        successorStart.increase(r + 1, successorStart.get(r));
      }
      IntColumn successors = IntColumn.filled(from.size(), 0);
      IntColumn next = successorStart.copy();
      IntColumn open = IntColumn.filled(requests, 0);
      for (int r = 0; r < requests; r++) {
        open.set(r, start.get(r + 1) - start.get(r));
        for (int e = start.get(r); e < start.get(r + 1); e++) {
          int place = next.get(from.get(e));
          next.set(from.get(e), place + 1);
          successors.set(place, r);
        }
        if (open.get(r) == 0) {
          ready.add(r);
        }
      }
      next.release();
      for (int head = 0; head < ready.size(); head++) {
        int done = ready.get(head);
        for (int s = successorStart.get(done); s < successorStart.get(done + 1); s++) {
          int successor = successors.get(s);
          open.increase(successor, -1);
          if (open.get(successor) == 0) {
            ready.add(successor);
          }
        }
      }
      int stuck = ready.size() == requests ? -1 : walkBack(open);
      successorStart.release();
      successors.release();
      open.release();
      return stuck;
    }

    /** Whether every request waits for earlier ones only, as nearly always. */
    private boolean isInOrder() {
      for (int r = 0; r < start.size() - 1; r++) {
        for (int e = start.get(r); e < start.get(r + 1); e++) {
          if (from.get(e) >= r) {
            return false;
          }
        }
      }
      return true;
    }

    /** From any request that never became ready, back along open edges until one comes twice. */
    private int walkBack(IntColumn open) {
      int request = 0;
      while (open.get(request) == 0) {
        request++;
      }
      BitSet visited = new BitSet();
      while (!visited.get(request)) {
        visited.set(request);
        request = openPredecessor(request, open);
      }
      return request;
    }

    private int openPredecessor(int request, IntColumn open) {
      int e = start.get(request);
      while (open.get(from.get(e)) == 0) {
        e++;
      }
      return from.get(e);
    }
  }
}
