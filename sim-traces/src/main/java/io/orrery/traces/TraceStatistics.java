package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * Counts over a trace, in the order of its requests. "Leading" blocks are the longest prefix of a
 * prompt that was seen before; a block that comes back behind an unseen one does not count. Prompts
 * include their trailing partial block where the file names it.
 *
 * @param requests number of requests
 * @param sessions number of sessions
 * @param topLevelRequests requests of root sessions
 * @param subAgentRequests requests of all other sessions
 * @param inputTokens prompt tokens
 * @param topLevelInputTokens prompt tokens of root sessions
 * @param outputTokens generated tokens
 * @param uniqueBlocks distinct blocks, named partial ones included
 * @param promptBlocks blocks of all prompts, named partial ones included
 * @param reusedBlocks leading blocks that an earlier request had: the hits of a cache without limit
 * @param reusedTokens tokens in them, partial blocks by the tokens they hold
 * @param sessionReusedTokens tokens of leading <em>full</em> blocks that an earlier request of the
 *     same session had
 * @param topLevelSessionReusedTokens the same over root sessions only
 * @param unidentifiedTokens prompt tokens whose identity is not known, see {@link
 *     Trace#unidentifiedTokens}
 * @param unidentifiedRequests requests with whole blocks of which none has an identity
 */
public record TraceStatistics(
    long requests,
    long sessions,
    long topLevelRequests,
    long subAgentRequests,
    long inputTokens,
    long topLevelInputTokens,
    long outputTokens,
    long uniqueBlocks,
    long promptBlocks,
    long reusedBlocks,
    long reusedTokens,
    long sessionReusedTokens,
    long topLevelSessionReusedTokens,
    long unidentifiedTokens,
    long unidentifiedRequests) {

  /** Counts a trace. */
  public static TraceStatistics of(Trace trace) {
    return new Counting(trace).statistics();
  }

  /** {@code reusedBlocks / promptBlocks}, 0 without blocks. */
  public double reusedBlockShare() {
    return share(reusedBlocks, promptBlocks);
  }

  /** {@code reusedTokens / identifiedTokens}: of the rest, nobody knows. */
  public double reusedTokenShare() {
    return share(reusedTokens, identifiedTokens());
  }

  /** {@code sessionReusedTokens / identifiedTokens}. */
  public double sessionReusedShare() {
    return share(sessionReusedTokens, identifiedTokens());
  }

  /** Prompt tokens of which it is known whether they were sent before. */
  public long identifiedTokens() {
    return inputTokens - unidentifiedTokens;
  }

  /** Requests of which it is known whether any of the prompt was sent before. */
  public long identifiedRequests() {
    return requests - unidentifiedRequests;
  }

  /** {@code unidentifiedTokens / inputTokens}. */
  public double unidentifiedShare() {
    return share(unidentifiedTokens, inputTokens);
  }

  /** {@code topLevelSessionReusedTokens / topLevelInputTokens}. */
  public double topLevelSessionReusedShare() {
    return share(topLevelSessionReusedTokens, topLevelInputTokens);
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  /** One pass over the requests, one over the sessions. */
  private static final class Counting {
    private final Trace trace;

    /**
     * Who saw a block last: 0 nobody. Seen blocks are closed under prefixes, since ids are chained.
     */
    private final IntColumn seenBy;

    Counting(Trace trace) {
      this.trace = trace;
      seenBy = IntColumn.filled(Math.toIntExact(trace.blockCount()), 0);
    }

    TraceStatistics statistics() {
      long topLevel = 0;
      long input = 0;
      long topLevelInput = 0;
      long output = 0;
      long blocks = 0;
      long reused = 0;
      long reusedTokens = 0;
      long unidentified = 0;
      long nothingKnown = 0;
      for (int r = 0; r < trace.requestCount(); r++) {
        boolean top = trace.parentSession(trace.session(r)) < 0;
        input += trace.inputTokens(r);
        output += trace.outputTokens(r);
        unidentified += trace.unidentifiedTokens(r);
        nothingKnown += trace.unidentifiedTokens(r) == trace.inputTokens(r) ? 1 : 0;
        topLevel += top ? 1 : 0;
        topLevelInput += top ? trace.inputTokens(r) : 0;
        blocks += trace.identifiedBlocks(r) + (trace.partialBlock(r) < 0 ? 0 : 1);
        int full = see(r, 1);
        boolean partial =
            full == trace.identifiedBlocks(r)
                && trace.partialBlock(r) >= 0
                && seenBy.get(trace.partialBlock(r)) == 1;
        if (trace.partialBlock(r) >= 0) {
          seenBy.set(trace.partialBlock(r), 1);
        }
        reused += full + (partial ? 1 : 0);
        reusedTokens += partial ? trace.inputTokens(r) : tokens(full);
      }
      long inSession = 0;
      long inTopLevel = 0;
      for (int s = 0; s < trace.sessionCount(); s++) {
        long tokens = 0;
        for (int turn = 0; turn < trace.requestCount(s); turn++) {
          tokens += tokens(see(trace.request(s, turn), s + 2));
        }
        inSession += tokens;
        inTopLevel += trace.parentSession(s) < 0 ? tokens : 0;
      }
      return new TraceStatistics(
          trace.requestCount(),
          trace.sessionCount(),
          topLevel,
          trace.requestCount() - topLevel,
          input,
          topLevelInput,
          output,
          trace.blockCount(),
          blocks,
          reused,
          reusedTokens,
          inSession,
          inTopLevel,
          unidentified,
          nothingKnown);
    }

    private long tokens(int blocks) {
      return (long) blocks * trace.blockSize();
    }

    /** Number of the prompt's leading full blocks that {@code who} saw before; sees the others. */
    private int see(int r, int who) {
      int leading = 0;
      boolean unseen = false;
      for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
        int first = trace.runFirst(run);
        int length = trace.runLength(run);
        int known = unseen ? 0 : knownIn(first, length, who);
        leading += known;
        unseen |= known < length;
        seenBy.fill(first + known, first + length, who);
      }
      return leading;
    }

    /** Binary search for the first unseen block of a run. */
    private int knownIn(int first, int length, int who) {
      int known = 0;
      int unknown = length + 1;
      while (known + 1 < unknown) {
        int middle = (known + unknown) >>> 1;
        if (seenBy.get(first + middle - 1) == who) {
          known = middle;
        } else {
          unknown = middle;
        }
      }
      return known;
    }
  }
}
