package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;

/** Lets some sessions launch sub-agents, up to three at a time, mostly waiting for them. */
final class SubAgentSynthesizer {
  private static final int MOST_AT_ONCE = 3;
  private static final long LAUNCH_INTERVAL_MILLIS = 50;

  private final long seed;
  private final int contextLimit;
  private final int longestContext;

  private final double sessionsWithSubAgents;
  private final double background;
  private final QuantileCurve perSession;
  private final QuantileCurve requests;
  private final QuantileCurve firstContext;
  private final QuantileCurve newTokens;
  private final QuantileCurve output;
  private final QuantileCurve wait;
  private final ServiceTime serviceTime;
  private final SharedPrefix prefix;

  SubAgentSynthesizer(SessionStatistics statistics, long seed, int contextLimit) {
    this.seed = seed;
    this.contextLimit = contextLimit;
    longestContext = contextLimit / 16 * 15;
    sessionsWithSubAgents = statistics.share("sessionsWithSubAgents");
    background = statistics.share("backgroundSubAgents");
    perSession = statistics.curve("subAgentsPerSession");
    requests = statistics.curve("subAgentRequests");
    firstContext = statistics.curve("subAgentFirstContext");
    newTokens = statistics.curve("subAgentNewTokens");
    output = statistics.curve("outputTokens");
    wait = statistics.curve("subAgentWait");
    serviceTime = new ServiceTime(statistics);
    prefix = statistics.subAgentPrefix();
  }

  /**
   * The session's sub-agents, mostly none. A request after blocking ones waits for the last of
   * them, and then as long as it did before: {@code calls} is changed accordingly.
   */
  List<SubAgent> launch(int session, List<AgentCall> calls, BlockRuns.Source source) {
    RandomStream stream = new RandomStream(seed, "sub-agents", session);
    List<SubAgent> launched = new ArrayList<>();
    if (!stream.chance(sessionsWithSubAgents)) {
      return launched;
    }
    List<Integer> sizes = groupSizes(stream);
    List<Integer> launchers = launchers(calls, sizes.size(), stream);
    BlockRuns common = source.fresh(prefix.tokens() / CallSynthesizer.BLOCK_SIZE);
    for (int group = 0; group < launchers.size(); group++) {
      int launcher = launchers.get(group);
      boolean inBackground = stream.chance(background);
      long lastEnd = 0;
      for (int i = 0; i < sizes.get(group); i++) {
        long start = (i + 1) * LAUNCH_INTERVAL_MILLIS;
        List<AgentCall> own = calls(common, stream, source);
        SubAgent child = new SubAgent(launcher, start, inBackground, prefix, own);
        launched.add(child);
        lastEnd = Math.max(lastEnd, start + child.durationMillis());
      }
      if (!inBackground) {
        AgentCall next = calls.get(launcher + 1);
        calls.set(launcher + 1, next.after(lastEnd + next.waitMillis()));
      }
    }
    return launched;
  }

  private List<Integer> groupSizes(RandomStream stream) {
    List<Integer> sizes = new ArrayList<>();
    int left = perSession.drawWhole(stream);
    while (left > 0) {
      int together = Math.min(left, 1 + stream.below(MOST_AT_ONCE));
      sizes.add(together);
      left -= together;
    }
    return sizes;
  }

  /** Up to so many different requests that call a tool, rising; the last one has no successor. */
  private static List<Integer> launchers(List<AgentCall> calls, int most, RandomStream stream) {
    List<Integer> candidates = new ArrayList<>();
    for (int i = 0; i + 1 < calls.size(); i++) {
      if (!calls.get(i).endsTurn()) {
        candidates.add(i);
      }
    }
    while (candidates.size() > most) {
      candidates.remove(stream.below(candidates.size()));
    }
    return candidates;
  }

  private List<AgentCall> calls(BlockRuns common, RandomStream stream, BlockRuns.Source source) {
    int count = requests.drawWhole(stream);
    int context = firstContext.drawWhole(stream);
    BlockRuns blocks = source.extend(common, common.count(), context / CallSynthesizer.BLOCK_SIZE);
    List<AgentCall> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int generated = Math.min(output.drawWhole(stream), contextLimit - context);
      calls.add(
          new AgentCall(
              blocks,
              context,
              generated,
              i == count - 1,
              i == 0 ? 0 : ServiceTime.millis(wait.draw(stream)),
              serviceTime.drawMillis(generated, stream)));
      int kept = blocks.count() * CallSynthesizer.BLOCK_SIZE;
      context = Math.min(longestContext, kept + newTokens.drawWhole(stream));
      blocks = source.extend(blocks, blocks.count(), context / CallSynthesizer.BLOCK_SIZE);
    }
    return calls;
  }
}
