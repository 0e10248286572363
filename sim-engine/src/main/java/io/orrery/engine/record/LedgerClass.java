package io.orrery.engine.record;

import java.util.Locale;

/**
 * Why an input token was or was not computed. Every input token of a dispatched request that
 * reached its look-up falls into the first class that fits, so the classes sum to the input tokens.
 * Classes of features that a run does not use stay 0.
 *
 * <p>t<sub>p</sub> is when the request was placed, t<sub>m</sub> the prefix look-up at which it was
 * admitted; reach(w, t) is the contiguous prefix that worker w could use at t.
 */
public enum LedgerClass {
  /** Reused from the worker's own KV cache. */
  HIT_DEVICE,
  HIT_HOST,
  HIT_DISK,
  HIT_SHARED,
  /** At or beyond ⌊(input − 1) / B⌋ · B: the partial or recomputed last block. */
  TAIL,
  /** The block has no identity: a partial trace block, or a trace without hashes. */
  UNIDENTIFIED,
  /** Not finished anywhere at t_p, but scheduled by t_m. */
  IN_FLIGHT,
  /** Never scheduled by t_m; the session had other content at this place before. */
  REWRITTEN,
  /** Never scheduled by t_m. */
  NEW,
  /** In reach through a slower tier and not loaded. */
  UNFETCHED,
  /** Resident here, but the engine cannot resume there. */
  UNALIGNED,
  /** Resident here behind a gap. */
  ORPHANED,
  /** In reach(w, t_p) and gone at t_m. */
  QUEUE_EVICTED,
  /** In reach of another worker at t_p, and the router's index knew. */
  MISPLACED_CHOSEN,
  /** In reach of another worker at t_p, and the router's index did not know. */
  MISPLACED_BLIND,
  /** In reach of another worker at t_p that cannot prefill. */
  MISPLACED_POOL_BOUND,
  /** Finished once, and the last holder was gone by t_p: lost with a worker. */
  LOST,
  /** Finished once, and the last holder was gone by t_p: evicted for space. */
  EVICTED,
  /** Finished once, and the last holder was gone by t_p: expired. */
  EXPIRED,
  /** Anything else. */
  UNREACHABLE;

  /** The key in summaries, such as {@code hit_device}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
