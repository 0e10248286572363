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

  /** Of the ids that are in no run, in their order. */
  private final IntColumn predecessors = new IntColumn();

  /**
   * Ids that were given out many at once, each after the one before it: first ids, how many ids of
   * runs there are up to the end of each, and the predecessors of the first ids.
   */
  private final IntColumn runs = new IntColumn();

  private final IntColumn upToRunEnd = new IntColumn();
  private final IntColumn beforeRun = new IntColumn();

  private final LongIntMap forks = new LongIntMap();
  private int count;

  /** Number of ids given out. */
  int count() {
    return count;
  }

  /** Gives up what is known of each id, but for their number; there will be no more. */
  void release() {
    predecessors.release();
    runs.release();
    upToRunEnd.release();
    beforeRun.release();
  }

  /** Number of ids that exist only because one name was used after different predecessors. */
  int forked() {
    return forks.size();
  }

  /** A new id after the given one. */
  int fresh(int predecessor) {
    predecessors.add(predecessor);
    return count++;
  }

  /** So many new ids, the first after the given one, each other one after the one before it. */
  private int fresh(int predecessor, int ids) {
    int first = fresh(predecessor);
    predecessors.addAscending(first, ids - 1);
    count += ids - 1;
    return first;
  }

  /**
   * Takes so many new ids, the first after the given one; returns it. What it takes of memory does
   * not depend on how many: lengths without hashes may stand for any number of blocks.
   */
  int freshRun(int predecessor, int ids) {
    int first = count;
    runs.add(first);
    upToRunEnd.add((upToRunEnd.size() == 0 ? 0 : upToRunEnd.last()) + ids);
    beforeRun.add(predecessor);
    count += ids;
    return first;
  }

  private int predecessor(int id) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.get(middle) <= id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return predecessors.get(id);
    }
    int run = low - 1;
    int before = run == 0 ? 0 : upToRunEnd.get(run - 1);
    int length = upToRunEnd.get(run) - before;
    int inRun = id - runs.get(run);
    if (inRun >= length) {
      return predecessors.get(id - upToRunEnd.get(run));
    }
    return inRun == 0 ? beforeRun.get(run) : id - 1;
  }

  /** The id of a name (a hash) in its namespace, after the given predecessor. */
  int intern(BlockNames namespace, long name, int predecessor) {
    int id = namespace.putIfAbsent(name, count());
    return id < 0 ? fresh(predecessor) : chained(id, predecessor);
  }

  /**
   * Adds the ids of a part of a list of hashes to a list of runs.
   *
   * @param from the first hash
   * @param to behind the last hash
   * @param predecessor the block before the first
   * @return the last block, the predecessor where there is none
   */
  int internAll(
      BlockNames namespace, HashRuns hashes, int from, int to, int predecessor, RunColumn into) {
    int block = predecessor;
    int start = NONE;
    int length = 0;
    int position = 0;
    for (int run = 0; position < to; run++) {
      int end = Math.min(to, position + hashes.length(run));
      for (int i = Math.max(from, position); i < end; ) {
        long name = hashes.first(run) + (i - position);
        int fresh = end - i > 1 ? namespace.putNew(name, end - i, count) : 0;
        int next = fresh > 0 ? fresh(block, fresh) : intern(namespace, name, block);
        int step = fresh > 0 ? fresh : chained(namespace, name, next, end - i);
        if (length > 0 && next == block + 1) {
          length += step;
        } else {
          if (length > 0) {
            into.add(start, length);
          }
          start = next;
          length = step;
        }
        block = next + step - 1;
        i += step;
      }
      position += hashes.length(run);
    }
    if (length > 0) {
      into.add(start, length);
    }
    return block;
  }

  /**
   * How many of so many names in order, of which the first has this id, have ids in order, each
   * given after the one before it.
   */
  private int chained(BlockNames namespace, long name, int id, int names) {
    int most = names > 1 ? namespace.inOrder(name, names, id) : 1;
    int length = 1;
    if (most > 1 && runs.size() == 0) {
      return length + predecessors.ascending(id + 1, id + most, id);
    }
    while (length < most && predecessor(id + length) == id + length - 1) {
      length++;
    }
    return length;
  }

  /**
   * The id itself where the predecessor is the one that it had first, else the one that stands for
   * it there.
   */
  int chained(int id, int predecessor) {
    if (predecessor(id) == predecessor) {
      return id;
    }
    long place = ((predecessor + 1L) << 32) | id;
    int fork = forks.putIfAbsent(place, count());
    return fork < 0 ? fresh(predecessor) : fork;
  }
}
