package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What goes on in a trace without session ids: conversations, and documents that are asked about
 * again and again. A request goes on with the last one that has the longest beginning of its prompt
 * that was seen before, if nobody has gone on with that yet and half of it comes back. What many
 * requests begin with (a system prompt) is no sign of that, and does not count.
 */
final class ContinuedPrompts {
  static final int LEAST_BLOCKS = 2;

  /** So many requests, and such a share of all, make a beginning that says nothing. */
  private static final int MANY = 100;

  private static final double MANY_SHARE = 0.005;

  private final Trace trace;
  private final double many;

  /** How many requests have a block, and which was the last of them. */
  private final IntColumn counts;

  private final IntColumn last;

  /** What goes on with a request; −1 for nothing. */
  private final IntColumn next;

  ContinuedPrompts(Trace trace) {
    this.trace = trace;
    int blocks = Math.toIntExact(trace.blockCount());
    counts = IntColumn.filled(blocks, 0);
    last = IntColumn.filled(blocks, -1);
    next = IntColumn.filled(trace.requestCount(), -1);
    many = Math.max(MANY, MANY_SHARE * trace.requestCount());
  }

  /** All requests, in chains by time. */
  List<int[]> chains() {
    for (int r = 0; r < trace.requestCount(); r++) {
      for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
        for (int i = 0; i < trace.runLength(run); i++) {
          counts.increase(trace.runFirst(run) + i, 1);
        }
      }
    }
    IntColumn firsts = new IntColumn();
    for (int r = 0; r < trace.requestCount(); r++) {
      int before = before(r);
      if (before < 0) {
        firsts.add(r);
      } else {
        next.set(before, r);
      }
    }
    List<int[]> chains = new ArrayList<>();
    for (int i = 0; i < firsts.size(); i++) {
      IntStream chain = IntStream.iterate(firsts.get(i), r -> r >= 0, r -> next.get(r));
      chains.add(chain.toArray());
    }
    return chains;
  }

  /** What a request goes on with; −1 for nothing. Its blocks are seen from now on. */
  private int before(int r) {
    int before = -1;
    int found = 0;
    int common = 0;
    boolean seen = true;
    for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        int id = trace.runFirst(run) + i;
        int touched = last.get(id);
        seen &= touched >= 0;
        if (seen) {
          before = touched;
          found++;
          common += counts.get(id) >= many ? 1 : 0;
        }
        last.set(id, r);
      }
    }
    return before >= 0 && goesOn(before, found, common) ? before : -1;
  }

  private boolean goesOn(int before, int found, int common) {
    int own = found - common;
    return next.get(before) < 0
        && found >= LEAST_BLOCKS
        && own > 0
        && 2 * own >= trace.identifiedBlocks(before) - common;
  }
}
