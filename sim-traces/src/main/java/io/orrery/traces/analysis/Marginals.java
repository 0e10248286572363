package io.orrery.traces.analysis;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.LongColumn;
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
    LongColumn inputTokens,
    LongColumn outputTokens,
    LongColumn turns,
    LongColumn sessionSpans,
    LongColumn gaps,
    LongColumn toolWaits,
    LongColumn otherWaits,
    LongColumn growth,
    LongColumn resent) {
  private static final Set<String> CALLS_A_TOOL = Set.of("tool_use", "tool_calls");

  /** Of a trace. */
  public static Marginals of(Trace trace) {
    LongColumn input = new LongColumn();
    LongColumn output = new LongColumn();
    for (int r = 0; r < trace.requestCount(); r++) {
      input.add(trace.inputTokens(r));
      output.add(trace.outputTokens(r));
    }
    LongColumn starts = Starts.of(trace);
    LongColumn turns = new LongColumn();
    LongColumn spans = new LongColumn();
    LongColumn tool = new LongColumn();
    LongColumn other = new LongColumn();
    LongColumn growth = new LongColumn();
    LongColumn resent = new LongColumn();
    for (int s = 0; s < trace.sessionCount(); s++) {
      int count = trace.requestCount(s);
      turns.add(count);
      int last = trace.request(s, count - 1);
      spans.add(Math.max(0, starts.get(last) - starts.get(trace.firstRequest(s))));
      for (int turn = 1; turn < count; turn++) {
        int before = trace.request(s, turn - 1);
        int r = trace.request(s, turn);
        long wait = waitAfter(trace, before, r);
        if (wait >= 0) {
          (callsATool(trace, before) ? tool : other).add(wait);
        }
        growth.add(input.get(r) - input.get(before) - output.get(before));
        if (trace.blocksKnown()
            && trace.unidentifiedTokens(before) == 0
            && trace.unidentifiedTokens(r) == 0) {
          resent.add((long) commonBlocks(trace, before, r) * trace.blockSize());
        }
      }
    }
    LongColumn gaps = gaps(trace, starts);
    starts.release();
    return new Marginals(input, output, turns, spans, gaps, tool, other, growth, resent);
  }

  /**
   * How long a turn waited after the end of the one before it, in ns: −1 where it waits for
   * something else, or where only the distance of their starts is known.
   */
  public static long waitAfter(Trace trace, int before, int r) {
    long wait = -1;
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (trace.edgeTrigger(e) == EdgeTrigger.DISPATCH) {
        return -1;
      }
      wait = trace.edgeFrom(e) == before ? trace.edgeDelayNanos(e) : wait;
    }
    return wait;
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

  private static LongColumn gaps(Trace trace, LongColumn starts) {
    LongColumn roots = new LongColumn();
    for (int s = 0; trace.sharedClock() && s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) < 0) {
        roots.add(starts.get(trace.firstRequest(s)));
      }
    }
    LongColumn sorted = StableOrder.sorted(roots);
    LongColumn gaps = new LongColumn();
    for (int i = 1; i < sorted.size(); i++) {
      gaps.add(sorted.get(i) - sorted.get(i - 1));
    }
    return gaps;
  }
}
