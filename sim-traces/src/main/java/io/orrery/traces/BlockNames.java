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
    if (name >= 0 && name < dense.size()) {
      int index = (int) name;
      int known = dense.get(index);
      return known != 0 ? known - 1 : putDense(index, name, id);
    }
    // The column stays within a few times of what is in it, whatever the names are.
    if (name >= dense.size() && name < Math.min(MAX_DENSE, 4L * denseCount + SLACK)) {
      long size = Math.max(name + 1, dense.size() + (long) (dense.size() >> 1));
      dense.addRepeated(0, (int) Math.min(MAX_DENSE, size) - dense.size());
      return putDense((int) name, name, id);
    }
    return sparse.putIfAbsent(name, id);
  }

  /** A name may have come before the column reached it. */
  private int putDense(int index, long name, int id) {
    int known = sparse.size() == 0 ? LongIntMap.MISSING : sparse.get(name);
    dense.set(index, (known == LongIntMap.MISSING ? id : known) + 1);
    denseCount++;
    return known;
  }
}
