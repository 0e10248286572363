package io.orrery.engine.cluster;

/**
 * Notices an admission policy whose ticks bring the run nowhere: nothing else is left to happen, or
 * ticks come so close that nothing else gets its turn.
 */
final class TickWatch {
  /** Ticks without any other event after which a policy with held requests counts as stuck. */
  private static final long MOST_IDLE_TICKS = 20_000_000;

  private static final long MANY_IDLE_TICKS = 100_000;

  /** Ticks nearer to each other than this, so many in a row, bring the run nowhere. */
  private static final long SHORTEST_TICK_NANOS = 1_000;

  /** So long a policy may wait over many ticks while nothing else happens: 400 days. */
  private static final long LONGEST_IDLE_NANOS = 400L * 86_400 * 1_000_000_000;

  private long idleTicks;
  private long idleSince;
  private long ticksInARow;
  private long ticksSince;

  /** Something other than a tick has happened or will. */
  void moves() {
    idleTicks = 0;
  }

  /**
   * Counts a tick before which nothing else will happen, while requests are held.
   *
   * @param tick when it comes, {@link Long#MAX_VALUE} for never
   * @return whether the run waits for ever
   */
  boolean isStuck(long now, long tick) {
    if (idleTicks++ == 0) {
      idleSince = now;
    }
    return tick == Long.MAX_VALUE
        || idleTicks > MOST_IDLE_TICKS
        || (idleTicks > MANY_IDLE_TICKS && tick - idleSince > LONGEST_IDLE_NANOS);
  }

  /**
   * Counts a tick if it comes before the next event of anybody else.
   *
   * @return whether ticks are so many and so close that time hardly passes
   */
  boolean isSpinning(long now, long tick, long others) {
    if (others <= tick) {
      ticksInARow = 0;
      return false;
    }
    if (ticksInARow++ == 0) {
      ticksSince = now;
    }
    return ticksInARow > MOST_IDLE_TICKS && tick - ticksSince < ticksInARow * SHORTEST_TICK_NANOS;
  }

  /** How many ticks came in a row, and since when, in words. */
  String ticks(long tick) {
    return ticksInARow + " ticks between " + ticksSince + " and " + tick + " ns";
  }
}
