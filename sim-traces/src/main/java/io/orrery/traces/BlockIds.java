package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * Numbers blocks densely in the order of their first appearance, and keeps the numbers
 * <em>chained</em>: an id stands for a block and everything before it. Where a file names two
 * blocks alike although different blocks precede them, the later one gets an id of its own, so that
 * "has been seen" always means "has been seen with this prefix".
 */
final class BlockIds {
  /** The predecessor of a prompt's first block. */
  static final int NONE = -1;

  private final IntColumn predecessors = new IntColumn();
  private final LongIntMap forks = new LongIntMap();

  /** Number of ids given out. */
  int count() {
    return predecessors.size();
  }

  /** Number of ids that exist only because one name was used after different predecessors. */
  int forked() {
    return forks.size();
  }

  /** A new id after the given one. */
  int fresh(int predecessor) {
    predecessors.add(predecessor);
    return predecessors.size() - 1;
  }

  /** The id of a name (a hash) in its namespace, after the given predecessor. */
  int intern(BlockNames namespace, long name, int predecessor) {
    int id = namespace.putIfAbsent(name, count());
    return id < 0 ? fresh(predecessor) : chained(id, predecessor);
  }

  /**
   * The id itself where the predecessor is the one that it had first, else the one that stands for
   * it there.
   */
  int chained(int id, int predecessor) {
    if (predecessors.get(id) == predecessor) {
      return id;
    }
    long place = ((predecessor + 1L) << 32) | id;
    int fork = forks.putIfAbsent(place, count());
    return fork < 0 ? fresh(predecessor) : fork;
  }
}
