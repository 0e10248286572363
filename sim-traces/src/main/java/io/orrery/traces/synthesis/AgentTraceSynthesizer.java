package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Makes up sessions of coding agents with the statistics of the Claude Code corpus: requests per
 * session and user turn, contexts and their growth, outputs, waits for tools and users, compaction,
 * sub-agents. They have no content: only lengths, times and the identity of blocks.
 *
 * <p>What is drawn for one session does not depend on the others: session 7 is the same among 10
 * and among 1,000.
 */
public final class AgentTraceSynthesizer {
  private final AgentTraceOptions options;
  private final List<SharedPrefix> prefixes;
  private final CallSynthesizer calls;
  private final SubAgentSynthesizer subAgents;
  private final BusyStretch stretch;

  public AgentTraceSynthesizer(AgentTraceOptions options) {
    SessionStatistics statistics = SessionStatistics.claudeCode();
    this.options = options;
    prefixes = statistics.prefixes();
    calls = new CallSynthesizer(statistics, options.seed(), options.contextLimit());
    subAgents = new SubAgentSynthesizer(statistics, options.seed(), options.contextLimit());
    stretch = new BusyStretch(options.longestStretch(), options.longestBreak().toMillis());
  }

  /**
   * Writes the sessions as the session files of kv-cache-tester ("Weka") have them, one JSON object
   * a line, not compressed. Equal options give equal bytes. The stream is left open.
   */
  public void writeWeka(OutputStream out) throws IOException {
    WekaWriter writer = new WekaWriter(out, options.blockSize());
    for (int i = 0; i < options.sessions(); i++) {
      writer.write(session(i));
    }
    writer.flush();
  }

  /**
   * A trace of short conversations for tests of scale, built in memory: 256-token blocks, prompts
   * of some thousand tokens, sixteen requests per second by recorded time. Time and memory per
   * request do not depend on the number of requests.
   *
   * @param requests how many, at least 1
   */
  public static Trace trace(long seed, int requests) {
    return new ChatTraceSynthesizer(seed).trace(requests);
  }

  AgentSession session(int index) {
    SharedPrefix prefix = prefix(new RandomStream(options.seed(), "prefix", index).uniform());
    BlockRuns.Source source = new BlockRuns.Source();
    List<AgentCall> whole = calls.calls(index, prefix, source);
    List<AgentCall> kept = stretch.of(whole, new RandomStream(options.seed(), "stretch", index));
    List<SubAgent> launched = subAgents.launch(index, kept, source);
    return new AgentSession("synthetic-" + (index + 1), prefix, kept, launched);
  }

  private SharedPrefix prefix(double rank) {
    double below = 0;
    for (SharedPrefix prefix : prefixes) {
      below += prefix.share();
      if (rank < below) {
        return prefix;
      }
    }
    return prefixes.get(prefixes.size() - 1);
  }
}
