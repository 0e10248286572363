package io.orrery.traces.analysis;

/**
 * How likely a block is on the worker that a request goes to, where every request goes to any of
 * some workers: in whole units, so that sums of chances are exact.
 */
public final class PlacementChance {
  /** A chance of 1, in units; with it, the tokens of the longest prompt are below 2^63. */
  public static final long ONE = 1L << 30;

  private static final int MOST_COUNTED = 1 << 12;

  private final long[][] chances = new long[BlockReuse.WORKERS.size()][MOST_COUNTED];

  /** The chances for each of {@link BlockReuse#WORKERS}. */
  public PlacementChance() {
    for (int w = 0; w < chances.length; w++) {
      double missed = 1;
      for (int k = 1; k < MOST_COUNTED; k++) {
        missed *= 1 - 1.0 / BlockReuse.WORKERS.get(w);
        chances[w][k] = Math.round((1 - missed) * ONE);
      }
    }
  }

  /**
   * The chance, in units, that a block is there that this many requests have had.
   *
   * @param workers index into {@link BlockReuse#WORKERS}
   */
  public long of(int workers, int requests) {
    return chances[workers][Math.min(requests, MOST_COUNTED - 1)];
  }
}
