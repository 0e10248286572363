package io.orrery.traces;

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
    int[] start = new int[requests + 1];
    for (int e = 0; e < count(); e++) {
      start[to.get(e) + 1]++;
    }
    for (int r = 0; r < requests; r++) {
      start[r + 1] += start[r];
    }
    int[] next = start.clone();
    int[] groupedFrom = new int[count()];
    long[] groupedDelay = new long[count()];
    for (int e = 0; e < count(); e++) {
      int place = next[to.get(e)]++;
      groupedFrom[place] = resolved(e);
      groupedDelay[place] = delay.get(e);
    }
    return new Grouped(start, groupedFrom, groupedDelay);
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
  record Grouped(int[] start, int[] from, long[] codedDelay) {
    static long delay(long coded) {
      return coded < 0 ? ~coded : coded;
    }

    /**
     * A request on a cycle, -1 where there is no cycle (so every request can be dispatched at some
     * time).
     *
     * @param ready filled with the requests, each after those that it waits for; a place for each
     */
    int onCycle(int[] ready) {
      int requests = start.length - 1;
      int[] successorStart = new int[requests + 1];
      for (int request : from) {
        successorStart[request + 1]++;
      }
      for (int r = 0; r < requests; r++) {
        successorStart[r + 1] += successorStart[r];
      }
      int[] successors = new int[from.length];
      int[] next = successorStart.clone();
      int[] open = new int[requests];
      int tail = 0;
      for (int r = 0; r < requests; r++) {
        open[r] = start[r + 1] - start[r];
        for (int e = start[r]; e < start[r + 1]; e++) {
          successors[next[from[e]]++] = r;
        }
        if (open[r] == 0) {
          ready[tail++] = r;
        }
      }
      for (int head = 0; head < tail; head++) {
        int done = ready[head];
        for (int s = successorStart[done]; s < successorStart[done + 1]; s++) {
          if (--open[successors[s]] == 0) {
            ready[tail++] = successors[s];
          }
        }
      }
      return tail == requests ? -1 : walkBack(open);
    }

    /** From any request that never became ready, back along open edges until one comes twice. */
    private int walkBack(int[] open) {
      int request = 0;
      while (open[request] == 0) {
        request++;
      }
      boolean[] visited = new boolean[open.length];
      while (!visited[request]) {
        visited[request] = true;
        request = openPredecessor(request, open);
      }
      return request;
    }

    private int openPredecessor(int request, int[] open) {
      int e = start[request];
      while (open[from[e]] == 0) {
        e++;
      }
      return from[e];
    }
  }
}
