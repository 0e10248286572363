package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Conversations in a trace without session ids: a request goes on where its prompt begins with all
 * full blocks of an earlier one, of two blocks or more, that nobody has gone on with yet.
 */
final class ContinuedPrompts {
  private static final int LEAST_BLOCKS = 2;

  private final Trace trace;

  /** The request whose prompt ends with a block, and where its chain stands. */
  private final Map<Integer, Integer> endsWith = new HashMap<>();

  private final List<List<Integer>> chains = new ArrayList<>();
  private final int[] chainOf;

  ContinuedPrompts(Trace trace) {
    this.trace = trace;
    chainOf = new int[trace.requestCount()];
  }

  /** All requests, in chains by time. */
  List<int[]> chains() {
    for (int r = 0; r < chainOf.length; r++) {
      int before = longestBegun(r);
      if (before < 0) {
        chainOf[r] = chains.size();
        chains.add(new ArrayList<>());
      } else {
        chainOf[r] = chainOf[before];
      }
      chains.get(chainOf[r]).add(r);
      if (trace.identifiedBlocks(r) >= LEAST_BLOCKS) {
        int run = trace.promptRunEnd(r) - 1;
        endsWith.put(trace.runFirst(run) + trace.runLength(run) - 1, r);
      }
    }
    return chains.stream()
        .map(chain -> chain.stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }

  /** The last of a chain whose prompt is the longest beginning of this one; -1 for none. */
  private int longestBegun(int r) {
    for (int run = trace.promptRunEnd(r) - 1; run >= trace.runStart(r); run--) {
      for (int i = trace.runLength(run) - 1; i >= 0; i--) {
        Integer before = endsWith.get(trace.runFirst(run) + i);
        if (before != null && isLast(before)) {
          return before;
        }
      }
    }
    return -1;
  }

  private boolean isLast(int r) {
    List<Integer> chain = chains.get(chainOf[r]);
    return chain.get(chain.size() - 1) == r;
  }
}
