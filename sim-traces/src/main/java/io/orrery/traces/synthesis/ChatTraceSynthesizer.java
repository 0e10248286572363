package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.Arrays;

/**
 * Builds traces of short conversations in memory, session by session.
 *
 * <p>Sessions arrive at random at a constant rate. Each has one of {@value #SYSTEM_PROMPTS} system
 * prompts of {@value #SYSTEM_TOKENS} tokens; a prompt is the one before, its answer and a new
 * message, until it would pass {@value #LONGEST_CONTEXT} tokens. Recorded times let an answer take
 * half a second and 20 ms a token.
 */
final class ChatTraceSynthesizer {
  static final int BLOCK_SIZE = 256;
  static final int SYSTEM_PROMPTS = 8;
  static final int SYSTEM_TOKENS = 1024;
  static final int LONGEST_CONTEXT = 16_384;

  /** Sessions per second: sixteen requests per second at 4.6 requests a session on average. */
  private static final double SESSION_RATE = 3.3;

  private static final long FIRST_TOKEN_NANOS = 500_000_000;
  private static final long TOKEN_NANOS = 20_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** More blocks than any prompt has; a block's hash is its session's number and its position. */
  private static final int MOST_BLOCKS = 1024;

  private static final int SYSTEM_BLOCKS = SYSTEM_TOKENS / BLOCK_SIZE;

  private final long seed;
  private final QuantileCurve requestsPerSession;
  private final QuantileCurve newTokens;
  private final QuantileCurve output;
  private final QuantileCurve wait;

  ChatTraceSynthesizer(long seed) {
    SessionStatistics statistics = SessionStatistics.chat();
    this.seed = seed;
    requestsPerSession = statistics.curve("requestsPerSession");
    newTokens = statistics.curve("newTokens");
    output = statistics.curve("outputTokens");
    wait = statistics.curve("userWait");
  }

  Trace trace(int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException("requests: found " + requests + ", expected at least 1");
    }
    TraceBuilder builder = Trace.builder(BLOCK_SIZE);
    RandomStream arrivals = new RandomStream(seed, "chat arrivals", 0);
    long start = 0;
    int left = requests;
    for (int session = 0; left > 0; session++) {
      left -= session(builder, session, start, left);
      double seconds = -StrictMath.log(1 - arrivals.uniform()) / SESSION_RATE;
      start += (long) Math.rint(seconds * NANOS_PER_SECOND);
    }
    return builder.build();
  }

  /** Adds a session of at most {@code most} requests; returns how many it has. */
  private int session(TraceBuilder builder, int session, long start, int most) {
    RandomStream stream = new RandomStream(seed, "chat session", session);
    String id = "chat-" + (session + 1);
    int system = stream.below(SYSTEM_PROMPTS);
    int count = Math.min(most, requestsPerSession.drawWhole(stream));
    long[] hashes = hashes(session, system);
    long clock = start;
    int context = SYSTEM_TOKENS + newTokens.drawWhole(stream);
    builder.session(id);
    long waitNanos = 0;
    int made = 0;
    while (made < count && context <= LONGEST_CONTEXT) {
      int generated = output.drawWhole(stream);
      builder
          .request(id + "-" + (made + 1))
          .input(context)
          .output(generated)
          .blocks(Arrays.copyOf(hashes, context / BLOCK_SIZE))
          .arrival(clock);
      if (made++ > 0) {
        builder.afterPrevious(waitNanos);
      }
      waitNanos = (long) Math.rint(wait.draw(stream) * NANOS_PER_SECOND);
      clock += FIRST_TOKEN_NANOS + generated * TOKEN_NANOS + waitNanos;
      context += generated + newTokens.drawWhole(stream);
    }
    return made;
  }

  private static long[] hashes(int session, int system) {
    long[] hashes = new long[LONGEST_CONTEXT / BLOCK_SIZE];
    for (int i = 0; i < hashes.length; i++) {
      long owner = i < SYSTEM_BLOCKS ? system : (long) SYSTEM_PROMPTS + session;
      hashes[i] = owner * MOST_BLOCKS + i;
    }
    return hashes;
  }
}
