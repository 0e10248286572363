package io.orrery.bench;

import io.orrery.engine.Draws;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;

/**
 * Single requests at random times: 256 to 1,023 input tokens, the first 256 one of 64 system
 * prompts, 32 to 127 output tokens, 300 a second.
 */
final class ShortRequests {
  private static final double PER_SECOND = 300;
  private static final int BLOCK = 64;
  private static final int SYSTEM_PROMPTS = 64;
  private static final int SYSTEM_BLOCKS = 4;

  private ShortRequests() {}

  static Trace trace(int requests) {
    Draws draws = new Draws(1, "short-requests");
    TraceBuilder builder = Trace.builder(BLOCK);
    double seconds = 0;
    long fresh = SYSTEM_PROMPTS * SYSTEM_BLOCKS;
    for (int i = 0; i < requests; i++) {
      seconds -= StrictMath.log(1 - draws.uniform(i, 0)) / PER_SECOND;
      int system = draws.below(SYSTEM_PROMPTS, i, 1);
      int input = 256 + draws.below(768, i, 2);
      long[] blocks = new long[input / BLOCK];
      for (int b = 0; b < blocks.length; b++) {
        blocks[b] = b < SYSTEM_BLOCKS ? system * SYSTEM_BLOCKS + b : fresh++;
      }
      builder
          .session("s" + i)
          .request("r" + i)
          .input(input)
          .output(32 + draws.below(96, i, 3))
          .blocks(blocks)
          .arrival((long) (seconds * 1e9));
    }
    return builder.build();
  }
}
