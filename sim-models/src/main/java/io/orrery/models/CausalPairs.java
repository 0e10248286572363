package io.orrery.models;

/** What a causal prefill chunk meets: query-key pairs to compute, KV tokens to fetch. */
public final class CausalPairs {
  private CausalPairs() {}

  /**
   * Query-key pairs of a chunk: the j-th new token meets the prefix, the new tokens up to itself,
   * and never more than the window.
   *
   * @param fresh new tokens
   * @param prefix tokens before them
   * @param window tokens in sight, {@link Integer#MAX_VALUE} for all
   */
  public static long count(int fresh, int prefix, int window) {
    long growing = Math.min(fresh, Math.max(0L, (long) window - prefix));
    return growing * prefix + growing * (growing + 1) / 2 + (fresh - growing) * window;
  }

  /** KV tokens that a chunk must move: those of the prefix still in sight, and its own. */
  public static long kvTokens(int fresh, int prefix, int window) {
    return Math.min(prefix, (long) window - 1) + fresh;
  }
}
