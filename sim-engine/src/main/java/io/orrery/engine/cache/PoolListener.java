package io.orrery.engine.cache;

/** Hears what happens to the keys of a worker's cache, in order. */
public interface PoolListener {
  /** A listener that ignores everything. */
  PoolListener NONE =
      new PoolListener() {
        @Override
        public void stored(long first, long last) {}

        @Override
        public void removed(long first, long last) {}
      };

  /**
   * Keys gained their first copy, one after the other: from {@code first} up, or down, to {@code
   * last}.
   */
  void stored(long first, long last);

  /**
   * A part of the block of {@code key} can be found from now on: some of its pages, where these are
   * smaller than blocks.
   */
  default void begun(long key) {}

  /**
   * Keys lost their last copy, one after the other: from {@code first} up, or down, to {@code
   * last}.
   */
  void removed(long first, long last);

  /** {@code block} got {@code key} (also when other copies exist). */
  default void assigned(int block, long key) {}

  /** {@code block} lost {@code key} (also when other copies remain). */
  default void evicted(int block, long key) {}
}
