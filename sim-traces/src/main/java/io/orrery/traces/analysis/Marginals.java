package io.orrery.traces.analysis;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import java.util.Arrays;
import java.util.Set;

/**
 * Everything about a trace that is one number per request or session, as samples.
 *
 * @param inputTokens of each request
 * @param outputTokens of each request
 * @param turns requests of each session
 * @param sessionSpans ns from the first start of each session to its last
 * @param gaps ns from each start of a root session to the next; empty without a common clock
 * @param toolWaits ns from a completion that called a tool to the next turn
 * @param otherWaits ns from any other completion to the next turn: people, or nobody knows
 * @param growth tokens by which a later turn's prompt is longer than the one before it and its
 *     output; negative where the context was rewritten or cut
 * @param resent tokens of a later turn's prompt that the turn before it had sent already; empty
 *     where blocks are unknown
 */
public record Marginals(
    long[] inputTokens,
    long[] outputTokens,
    long[] turns,
    long[] sessionSpans,
    long[] gaps,
    long[] toolWaits,
    long[] otherWaits,
    long[] growth,
    long[] resent) {
  private static final Set<String> CALLS_A_TOOL = Set.of("tool_use", "tool_calls");

  /** Of a trace. */
  public static Marginals of(Trace trace) {
    int n = trace.requestCount();
    long[] input = new long[n];
    long[] output = new long[n];
    for (int r = 0; r < n; r++) {
      input[r] = trace.inputTokens(r);
      output[r] = trace.outputTokens(r);
    }
    long[] starts = Starts.of(trace);
    long[] turns = new long[trace.sessionCount()];
    long[] spans = new long[trace.sessionCount()];
    Longs tool = new Longs();
    Longs other = new Longs();
    Longs growth = new Longs();
    Longs resent = new Longs();
    for (int s = 0; s < turns.length; s++) {
      turns[s] = trace.requestCount(s);
      int last = trace.request(s, trace.requestCount(s) - 1);
      spans[s] = Math.max(0, starts[last] - starts[trace.firstRequest(s)]);
      for (int turn = 1; turn < turns[s]; turn++) {
        int before = trace.request(s, turn - 1);
        int r = trace.request(s, turn);
        long wait = waitAfter(trace, before, r);
        if (wait >= 0) {
          (callsATool(trace, before) ? tool : other).add(wait);
        }
        growth.add(input[r] - input[before] - output[before]);
        if (trace.blocksKnown()) {
          resent.add((long) commonBlocks(trace, before, r) * trace.blockSize());
        }
      }
    }
    return new Marginals(
        input,
        output,
        turns,
        spans,
        gaps(trace, starts),
        tool.toArray(),
        other.toArray(),
        growth.toArray(),
        resent.toArray());
  }

  /** −1 where the turn waits for something else. */
  private static long waitAfter(Trace trace, int before, int r) {
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (trace.edgeFrom(e) == before && trace.edgeTrigger(e) == EdgeTrigger.COMPLETION) {
        return trace.edgeDelayNanos(e);
      }
    }
    return -1;
  }

  private static boolean callsATool(Trace trace, int r) {
    String reason = trace.recordedFinishReason(r);
    return trace.recordedTools(r) != null || (reason != null && CALLS_A_TOOL.contains(reason));
  }

  /** Leading blocks that two prompts have in common, however they are cut into runs. */
  public static int commonBlocks(Trace trace, int a, int b) {
    int common = 0;
    int left = trace.runStart(a);
    int right = trace.runStart(b);
    int inLeft = 0;
    int inRight = 0;
    while (left < trace.promptRunEnd(a)
        && right < trace.promptRunEnd(b)
        && trace.runFirst(left) + inLeft == trace.runFirst(right) + inRight) {
      int step = Math.min(trace.runLength(left) - inLeft, trace.runLength(right) - inRight);
      common += step;
      inLeft += step;
      inRight += step;
      if (inLeft == trace.runLength(left)) {
        left++;
        inLeft = 0;
      }
      if (inRight == trace.runLength(right)) {
        right++;
        inRight = 0;
      }
    }
    return common;
  }

  private static long[] gaps(Trace trace, long[] starts) {
    if (!trace.sharedClock()) {
      return new long[0];
    }
    Longs roots = new Longs();
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) < 0) {
        roots.add(starts[trace.firstRequest(s)]);
      }
    }
    long[] sorted = roots.toArray();
    Arrays.sort(sorted);
    long[] gaps = new long[Math.max(0, sorted.length - 1)];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = sorted[i + 1] - sorted[i];
    }
    return gaps;
  }
}
