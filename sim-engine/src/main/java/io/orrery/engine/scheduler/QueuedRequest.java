package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.RadixCache;
import org.jspecify.annotations.Nullable;

/**
 * What {@link QueueOrder} knows of a waiting request, and what it finds out. Reused by its owner.
 */
public final class QueuedRequest {
  /** The owner's number for the request. */
  public int request;

  /** Prompt and outputs so far, in tokens. */
  public int tokens;

  /** Leading tokens that may be found at most, before the last one is left out. */
  public int findableTokens = Integer.MAX_VALUE;

  /** Output tokens after which it ends at the latest. */
  public int maxOutputTokens;

  /** Smaller or larger is more urgent, as the order is set. */
  public int priority;

  /** When it entered the queue, any unit. */
  public double queuedAt;

  /** Keys of the cache's pages. */
  public BlockKeys keys = new BlockKeys();

  /**
   * Keys of the pages by which queued requests are compared with each other; may be {@link #keys}.
   */
  public BlockKeys queueKeys = keys;

  /** Tokens that the cache holds of it; 0 where the order does not look. */
  public int matchedTokens;

  /** The cache's node where the match ended; valid until the next eviction. */
  public int lastNode = RadixCache.ROOT;

  /** Whose it is, where a scheduler queues it. */
  @Nullable PagedRequest owner;

  /** Shares its start with an earlier request of the queue and waits for that one's pages. */
  boolean deferred;
}
