package io.orrery.engine.cache;

/** Hears what happens to the keys of a {@link BlockPool}, in order. */
public interface PoolListener {
  /** A listener that ignores everything. */
  PoolListener NONE =
      new PoolListener() {
        @Override
        public void stored(long key) {}

        @Override
        public void removed(long key) {}
      };

  /** {@code key} gained its first copy. */
  void stored(long key);

  /**
   * A part of the block of {@code key} can be found from now on: some of its pages, where these are
   * smaller than blocks.
   */
  default void begun(long key) {}

  /** {@code key} lost its last copy. */
  void removed(long key);

  /** {@code block} got {@code key} (also when other copies exist). */
  default void assigned(int block, long key) {}

  /** {@code block} lost {@code key} (also when other copies remain). */
  default void evicted(int block, long key) {}
}
