package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;

/** Picks a stretch of consecutive requests from a session. */
final class BusyStretch {
  private final int longest;
  private final long longestBreakMillis;

  BusyStretch(int longest, long longestBreakMillis) {
    this.longest = longest;
    this.longestBreakMillis = longestBreakMillis;
  }

  /**
   * At most so many requests without a longer break between them: those around one drawn request,
   * cut to a stretch that starts anywhere among them. Where nothing needs cutting, the session
   * itself.
   */
  List<AgentCall> of(List<AgentCall> calls, RandomStream stream) {
    int drawn = stream.below(calls.size());
    int from = drawn;
    while (from > 0 && calls.get(from).waitMillis() <= longestBreakMillis) {
      from--;
    }
    int to = drawn + 1;
    while (to < calls.size() && calls.get(to).waitMillis() <= longestBreakMillis) {
      to++;
    }
    if (to - from > longest) {
      from += stream.below(to - from - longest + 1);
      to = from + longest;
    }
    List<AgentCall> stretch = new ArrayList<>(calls.subList(from, to));
    stretch.set(0, stretch.get(0).after(0));
    return stretch;
  }
}
