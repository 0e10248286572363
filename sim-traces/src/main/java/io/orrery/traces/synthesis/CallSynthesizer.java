package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;

/**
 * Draws the requests of a session, one after the other.
 *
 * <p>A context grows behind its last full block; now and then it is rewritten behind the common
 * prefix, either in place (about as long as before) or to compact it. A session compacts when the
 * next prompt would pass a point drawn for it, and sometimes before.
 */
final class CallSynthesizer {
  /** Tokens per block, as in the corpus, whose growth is measured from the last full one. */
  static final int BLOCK_SIZE = AgentTraceOptions.LEAST_BLOCK_SIZE;

  /** A prompt has at least this much behind the common prefix. */
  private static final int LEAST_OWN_TOKENS = 500;

  /** So many requests of a session are followed by larger growth. */
  private static final int EARLY_REQUESTS = 4;

  private final long seed;
  private final int contextLimit;
  private final int latestCompaction;

  private final QuantileCurve requests;
  private final QuantileCurve requestsPerTurn;
  private final QuantileCurve firstContext;
  private final QuantileCurve earlyNewTokens;
  private final QuantileCurve newTokens;
  private final QuantileCurve output;
  private final QuantileCurve toolWait;
  private final QuantileCurve userWait;
  private final QuantileCurve compactionPoint;
  private final QuantileCurve compactionRatio;
  private final QuantileCurve rewriteRatio;
  private final double rewrites;
  private final double unforcedCompactions;
  private final double growthFollowsOutput;
  private final ServiceTime serviceTime;

  CallSynthesizer(SessionStatistics statistics, long seed, int contextLimit) {
    this.seed = seed;
    this.contextLimit = contextLimit;
    latestCompaction = contextLimit / 16 * 15;
    requests = statistics.curve("requestsPerSession");
    requestsPerTurn = statistics.curve("requestsPerUserTurn");
    firstContext = statistics.curve("firstContext");
    earlyNewTokens = statistics.curve("earlyNewTokens");
    newTokens = statistics.curve("newTokens");
    output = statistics.curve("outputTokens");
    toolWait = statistics.curve("toolWait");
    userWait = statistics.curve("userWait");
    compactionPoint = statistics.curve("compactionPoint");
    compactionRatio = statistics.curve("compactionRatio");
    rewriteRatio = statistics.curve("rewriteRatio");
    rewrites = statistics.share("rewriteInPlace");
    unforcedCompactions = statistics.share("unforcedCompaction");
    growthFollowsOutput = statistics.share("growthFollowsOutput");
    serviceTime = new ServiceTime(statistics);
  }

  /** All requests of the session with this number. */
  List<AgentCall> calls(int session, SharedPrefix prefix, BlockRuns.Source source) {
    return new Session(session, prefix, source).calls();
  }

  private RandomStream stream(String purpose, int session) {
    return new RandomStream(seed, purpose, session);
  }

  /** One session in the making. */
  private final class Session {
    private final RandomStream lengths;
    private final RandomStream contexts;
    private final RandomStream outputs;
    private final RandomStream waits;
    private final RandomStream services;
    private final BlockRuns.Source source;
    private final int prefixBlocks;
    private final int leastContext;
    private final int count;
    private final double compactAt;

    private int context;
    private BlockRuns blocks;

    Session(int session, SharedPrefix prefix, BlockRuns.Source source) {
      lengths = stream("requests", session);
      contexts = stream("contexts", session);
      outputs = stream("outputs", session);
      waits = stream("waits", session);
      services = stream("services", session);
      this.source = source;
      prefixBlocks = prefix.tokens() / BLOCK_SIZE;
      leastContext = prefix.tokens() + LEAST_OWN_TOKENS;
      count = requests.drawWhole(lengths);
      double first = firstContext.drawUpTo(latestCompaction, contexts);
      double passed = compactionPoint.below(first);
      double point = compactionPoint.at(passed + contexts.uniform() * (1 - passed));
      compactAt = Math.min(latestCompaction, point);
      context = Math.max(leastContext, (int) Math.rint(first));
      blocks = source.fresh(context / BLOCK_SIZE);
    }

    List<AgentCall> calls() {
      List<AgentCall> calls = new ArrayList<>(count);
      int leftInTurn = requestsPerTurn.drawWhole(lengths);
      double wait = 0;
      for (int i = 0; i < count; i++) {
        double outputRank = outputs.uniform();
        int generated = Math.min((int) Math.rint(output.at(outputRank)), contextLimit - context);
        boolean endsTurn = --leftInTurn == 0;
        calls.add(
            new AgentCall(
                blocks,
                context,
                generated,
                endsTurn,
                ServiceTime.millis(wait),
                serviceTime.drawMillis(generated, services)));
        if (endsTurn) {
          leftInTurn = requestsPerTurn.drawWhole(lengths);
        }
        wait = (endsTurn ? userWait : toolWait).draw(waits);
        step(i, outputRank);
      }
      return calls;
    }

    /** From the prompt with this index to the next one. */
    private void step(int from, double outputRank) {
      boolean rewritten = contexts.chance(rewrites);
      boolean compacted = contexts.chance(unforcedCompactions);
      double rank = contexts.chance(growthFollowsOutput) ? outputRank : contexts.uniform();
      QuantileCurve curve = from < EARLY_REQUESTS ? earlyNewTokens : newTokens;
      double grown = (double) blocks.count() * BLOCK_SIZE + curve.at(rank);
      boolean rewritable = prefixBlocks < blocks.count() / 2;
      if (grown > compactAt || (compacted && rewritable)) {
        rewrite(compactionRatio);
      } else if (rewritten && rewritable) {
        rewrite(rewriteRatio);
      } else {
        context = (int) Math.rint(grown);
        blocks = source.extend(blocks, blocks.count(), context / BLOCK_SIZE);
      }
    }

    private void rewrite(QuantileCurve ratio) {
      double length = Math.min(context * ratio.draw(contexts), compactAt);
      context = Math.max(leastContext, (int) length);
      blocks = source.extend(blocks, prefixBlocks, context / BLOCK_SIZE);
    }
  }
}
