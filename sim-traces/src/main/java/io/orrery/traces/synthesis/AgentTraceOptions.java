package io.orrery.traces.synthesis;

import java.time.Duration;

/**
 * What to synthesize.
 *
 * @param seed of all draws
 * @param sessions number of root sessions
 * @param blockSize tokens per block in what is written, a multiple of {@link #LEAST_BLOCK_SIZE}
 * @param contextLimit most tokens of prompt and output together, at least {@link
 *     #LEAST_CONTEXT_LIMIT}; sessions compact at 15/16 of it at the latest
 * @param longestStretch most requests that are kept of a session: a stretch of so many, anywhere in
 *     it
 * @param longestBreak a stretch has no wait longer than this between two of its requests (but may
 *     have one for a sub-agent)
 */
public record AgentTraceOptions(
    long seed,
    int sessions,
    int blockSize,
    int contextLimit,
    int longestStretch,
    Duration longestBreak) {
  /** Tokens per block in the corpus. */
  public static final int LEAST_BLOCK_SIZE = 64;

  /** The context limit of MiniMax M2: 192 × 1,024 tokens. */
  public static final int DEFAULT_CONTEXT_LIMIT = 196_608;

  /** Room for a common prefix of about 15,000 tokens, twice, and a long output. */
  public static final int LEAST_CONTEXT_LIMIT = 65_536;

  /** Longer than any context of the corpus. */
  public static final int NO_CONTEXT_LIMIT = 1_048_576;

  private static final Duration NO_LONGEST_BREAK = Duration.ofDays(365);

  public AgentTraceOptions {
    if (sessions < 1) {
      throw new IllegalArgumentException("sessions: found " + sessions + ", expected at least 1");
    }
    if (blockSize < LEAST_BLOCK_SIZE || blockSize % LEAST_BLOCK_SIZE != 0) {
      throw new IllegalArgumentException(
          "blockSize: found " + blockSize + ", expected a multiple of " + LEAST_BLOCK_SIZE);
    }
    if (contextLimit < LEAST_CONTEXT_LIMIT || contextLimit > NO_CONTEXT_LIMIT) {
      throw new IllegalArgumentException(
          "contextLimit: found "
              + contextLimit
              + ", expected "
              + LEAST_CONTEXT_LIMIT
              + " to "
              + NO_CONTEXT_LIMIT);
    }
    if (longestStretch < 1) {
      throw new IllegalArgumentException(
          "longestStretch: found " + longestStretch + ", expected at least 1");
    }
    if (longestBreak.isNegative()) {
      throw new IllegalArgumentException(
          "longestBreak: found " + longestBreak + ", expected a time of at least 0");
    }
  }

  /** Whole sessions within the default context limit, in blocks of 64 tokens. */
  public static AgentTraceOptions wholeSessions(long seed, int sessions) {
    return new AgentTraceOptions(
        seed,
        sessions,
        LEAST_BLOCK_SIZE,
        DEFAULT_CONTEXT_LIMIT,
        Integer.MAX_VALUE,
        NO_LONGEST_BREAK);
  }

  /** The same in blocks of so many tokens. */
  public AgentTraceOptions withBlockSize(int tokens) {
    return new AgentTraceOptions(
        seed, sessions, tokens, contextLimit, longestStretch, longestBreak);
  }

  /** The same with another context limit, in tokens. */
  public AgentTraceOptions withContextLimit(int tokens) {
    return new AgentTraceOptions(seed, sessions, blockSize, tokens, longestStretch, longestBreak);
  }

  /** The same, of which stretches are kept. */
  public AgentTraceOptions withStretches(int longest, Duration longestBreakInside) {
    return new AgentTraceOptions(
        seed, sessions, blockSize, contextLimit, longest, longestBreakInside);
  }
}
