package io.orrery.engine.cache;

import java.util.Locale;

/**
 * Which leaf of a {@link RadixCache} goes first. SGLang's names; where the rank ties, the leaf with
 * the older last access goes first.
 */
public enum RadixEviction {
  /** Least recently used. */
  LRU {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return lastAccess;
    }
  },
  /** Fewest hits. */
  LFU {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return hits;
    }
  },
  /** Segmented: what was hit once or never before what was hit twice. */
  SLRU {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return hits >= 2 ? 1 : 0;
    }
  },
  /** Oldest node. */
  FIFO {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return created;
    }
  },
  /** Lowest priority. */
  PRIORITY {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return priority;
    }
  },
  /** Most recently used. */
  MRU {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return -lastAccess;
    }
  },
  /** Newest node. */
  FILO {
    @Override
    long rank(long lastAccess, long created, int hits, int priority) {
      return -created;
    }
  };

  /** Smaller is evicted earlier. Times are counts of a {@link RadixCache}'s own clock. */
  abstract long rank(long lastAccess, long created, int hits, int priority);

  /** SGLang's name, in lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The strategy of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the names
   */
  public static RadixEviction named(String label) {
    StringBuilder names = new StringBuilder();
    for (RadixEviction strategy : values()) {
      if (strategy.label().equals(label)) {
        return strategy;
      }
      names.append(names.isEmpty() ? "" : ", ").append(strategy.label());
    }
    throw new IllegalArgumentException(
        "eviction strategy: found " + label + ", expected one of " + names);
  }
}
