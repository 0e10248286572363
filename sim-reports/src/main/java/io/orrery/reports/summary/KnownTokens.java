package io.orrery.reports.summary;

import io.orrery.traces.Trace;

/**
 * Input of which it is known what a cache would give, and what was reused of it.
 *
 * <p>A prompt without a whole block has nothing to look up: whatever its hashes would have been,
 * its tokens are never found, so they are known, as the tail of a longer prompt is. Alone they are
 * no knowledge of a cache, though: where other input has no identity, and no block has one, nothing
 * is known.
 */
public final class KnownTokens {
  private long input;
  private long hits;
  private long unidentified;
  private boolean anyBlock;

  /** Takes in a request that came into a step, with its input tokens and how many were reused. */
  public void add(Trace trace, int request, long inputTokens, long hitTokens) {
    int unknown = trace.unidentifiedTokens(request);
    input += inputTokens - unknown;
    unidentified += unknown;
    hits += hitTokens;
    anyBlock |= trace.identifiedBlocks(request) > 0;
  }

  /** Whether anything is known, or there is no input of which something could be. */
  public boolean isAny() {
    return anyBlock || unidentified == 0;
  }

  /** Input tokens that are known; 0 where nothing is. */
  public long input() {
    return isAny() ? input : 0;
  }

  /** Input tokens without identity, or behind such. */
  public long unidentified() {
    return unidentified;
  }

  /** Reused tokens, all of which are known ones. */
  public long hits() {
    return hits;
  }

  /** The reused share of the known input; NaN where nothing is known. */
  public double hitRate() {
    return input() == 0 ? Double.NaN : (double) hits / input();
  }
}
