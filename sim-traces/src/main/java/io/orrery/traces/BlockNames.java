package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * The ids of block names (hashes) in one namespace. Names are mostly small numbers that come in
 * order, and a column finds those; any other 64 bits go through a hash map.
 */
final class BlockNames {
  private static final int SLACK = 1 << 10;
  private static final int MAX_DENSE = 1 << 30;

  /** Id + 1 by name, 0 for none. */
  private final IntColumn dense = IntColumn.filled(SLACK, 0);

  private int denseCount;
  private final LongIntMap sparse = new LongIntMap();

  /**
   * Gives the name an id unless it has one.
   *
   * @return the id that it had, {@link LongIntMap#MISSING} if it was given this one
   */
  int putIfAbsent(long name, int id) {
    if (!isDense(name)) {
      return sparse.putIfAbsent(name, id);
    }
    int known = dense.get((int) name);
    return known != 0 ? known - 1 : putDense((int) name, name, id);
  }

  /**
   * Gives the names {@code first, first + 1, ...} ids in order, as far as they have none.
   *
   * @return how many have been given one: not all where a later name has an id, or where the column
   *     ends
   */
  int putNew(long first, int names, int id) {
    if (sparse.size() > 0 || !isDense(first)) {
      return 0;
    }
    int from = (int) first;
    int given = dense.repetitions(from, denseEnd(first, names), 0);
    dense.fillAscending(from, from + given, id + 1);
    denseCount += given;
    return given;
  }

  /**
   * How many of the names {@code first, first + 1, ...} are known to have ids in order from this.
   */
  int inOrder(long first, int names, int id) {
    return isDense(first) ? dense.ascending((int) first, denseEnd(first, names), id + 1) : 0;
  }

  private int denseEnd(long first, int names) {
    return (int) Math.min(dense.size(), first + names);
  }

  /** Whether the column has a place for a name; it grows where the name is near its end. */
  private boolean isDense(long name) {
    if (name >= dense.size() && name < Math.min(MAX_DENSE, 4L * denseCount + SLACK)) {
      // The column stays within a few times of what is in it, whatever the names are.
      long size = Math.max(name + 1, dense.size() + (long) (dense.size() >> 1));
      dense.addRepeated(0, (int) Math.min(MAX_DENSE, size) - dense.size());
    }
    return name >= 0 && name < dense.size();
  }

  /** A name may have come before the column reached it. */
  private int putDense(int index, long name, int id) {
    int known = sparse.size() == 0 ? LongIntMap.MISSING : sparse.get(name);
    dense.set(index, (known == LongIntMap.MISSING ? id : known) + 1);
    denseCount++;
    return known;
  }
}
