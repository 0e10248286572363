package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * The ids of block names (hashes) in one namespace. Names are mostly numbers not much greater than
 * there are names, and a column finds those, in whatever order they come; any other 64 bits go
 * through a hash map.
 */
final class BlockNames {
  private static final int SLACK = 1 << 10;
  private static final int MAX_DENSE = 1 << 30;

  /** Places of the column for each name: beyond, a name takes less space in the map. */
  private static final int MOST_PLACES = 8;

  /** Id + 1 by name, 0 for none. */
  private final IntColumn dense = IntColumn.filled(SLACK, 0);

  private int denseCount;

  /** Names that the column has no place for. */
  private LongIntMap sparse = new LongIntMap();

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
    if (known != 0) {
      return known - 1;
    }
    dense.set((int) name, id + 1);
    denseCount++;
    return LongIntMap.MISSING;
  }

  /**
   * Gives the names {@code first, first + 1, ...} ids in order, as far as they have none.
   *
   * @return how many have been given one: not all where a later name has an id, or where the column
   *     ends
   */
  int putNew(long first, int names, int id) {
    if (!isDense(first)) {
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

  /** Gives up the names; nobody may ask for one any more. */
  void release() {
    dense.release();
    sparse.release();
  }

  private int denseEnd(long first, int names) {
    return (int) Math.min(dense.size(), first + names);
  }

  /** Whether the column has a place for a name; it grows where the names have become many. */
  private boolean isDense(long name) {
    if (name >= dense.size() && name < mostPlaces()) {
      long size = Math.max(name + 1, dense.size() + (long) (dense.size() >> 1));
      dense.addRepeated(0, (int) Math.min(MAX_DENSE, size) - dense.size());
      takeFromMap();
    }
    return name >= 0 && name < dense.size();
  }

  private long mostPlaces() {
    return Math.min(MAX_DENSE, MOST_PLACES * ((long) denseCount + sparse.size()) + SLACK);
  }

  /** Puts those names of the map into the column for which it has become large enough. */
  private void takeFromMap() {
    LongIntMap all = sparse;
    int before = denseCount;
    all.forEach(
        (name, id) -> {
          if (name >= 0 && name < dense.size()) {
            dense.set((int) name, id + 1);
            denseCount++;
          }
        });
    if (denseCount == before) {
      return;
    }
    sparse = new LongIntMap();
    all.forEach(
        (name, id) -> {
          if (name < 0 || name >= dense.size()) {
            sparse.putIfAbsent(name, id);
          }
        });
    all.release();
  }
}
