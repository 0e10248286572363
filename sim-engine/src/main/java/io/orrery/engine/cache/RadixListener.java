package io.orrery.engine.cache;

/** Hears what happens to the pages of a {@link RadixCache}, in order. */
public interface RadixListener {
  /** A listener that ignores everything. */
  RadixListener NONE = new RadixListener() {};

  /** The pages {@code firstKey, firstKey + 1, …} can be matched from now on. */
  default void stored(long firstKey, int pages) {}

  /** The pages {@code firstKey, firstKey + 1, …} are gone. */
  default void removed(long firstKey, int pages) {}

  /**
   * A leaf was evicted; its pages are reported by {@link #removed} too.
   *
   * @param position pages above it
   * @param pages its own pages
   * @param firstKey the key of its first page
   */
  default void evicted(int position, int pages, long firstKey) {}
}
