package io.orrery.traces;

import java.util.Arrays;

/**
 * The ids of block names (hashes) in one namespace. Names are mostly small numbers that come in
 * order, and an array finds those; any other 64 bits go through a hash map.
 */
final class BlockNames {
  private static final int SLACK = 1 << 10;
  private static final int MAX_DENSE = 1 << 28;

  /** Id + 1 by name, 0 for none. */
  private int[] dense = new int[SLACK];

  private int denseCount;
  private final LongIntMap sparse = new LongIntMap();

  /**
   * Gives the name an id unless it has one.
   *
   * @return the id that it had, {@link LongIntMap#MISSING} if it was given this one
   */
  int putIfAbsent(long name, int id) {
    if (name >= 0 && name < dense.length) {
      int index = (int) name;
      if (dense[index] != 0) {
        return dense[index] - 1;
      }
      return putDense(index, name, id);
    }
    // The array stays within a few times of what is in it, whatever the names are.
    if (name >= dense.length && name < Math.min(MAX_DENSE, 4L * denseCount + SLACK)) {
      dense = Arrays.copyOf(dense, (int) Math.min(MAX_DENSE, 2L * Math.max(name, dense.length)));
      return putDense((int) name, name, id);
    }
    return sparse.putIfAbsent(name, id);
  }

  /** A name may have come before the array reached it. */
  private int putDense(int index, long name, int id) {
    int known = sparse.size() == 0 ? LongIntMap.MISSING : sparse.get(name);
    dense[index] = (known == LongIntMap.MISSING ? id : known) + 1;
    denseCount++;
    return known;
  }
}
