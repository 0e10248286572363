package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * Finds the page of a block key. Keys of neighbouring blocks are consecutive numbers, so tables
 * over keys are kept in pages of {@value #PAGE} keys: one hash look-up per page, an array access
 * per key.
 *
 * <p>Open addressing with linear probing and backward-shift deletion. A page's slot are the upper
 * bits of its key times the golden ratio, which spreads the consecutive keys of neighbouring pages
 * as evenly as can be. Page numbers are small ints, reused when freed.
 */
final class PageDirectory {
  /** Keys per page; a power of two. */
  static final int PAGE = 32;

  static final int SHIFT = 5;
  static final int MASK = PAGE - 1;
  private static final long EMPTY = Long.MIN_VALUE;

  /** By twice the slot: the page's key, and behind it in the same cache line the page. */
  private long[] slots = new long[128];

  private int slotMask = 63;

  /** Leaves as many upper bits of a {@code long} as there are in {@link #slotMask}. */
  private int slotShift = Long.SIZE - 6;

  private int used;
  private int created;
  private int[] free = new int[16];
  private int freeCount;
  // Neighbours are mostly asked for one after the other.
  private long lastKey = EMPTY;
  private int lastPage;

  PageDirectory() {
    Arrays.fill(slots, EMPTY);
  }

  /** The page that holds {@code key}, or -1. */
  int find(long key) {
    long pageKey = key >> SHIFT;
    if (pageKey == lastKey) {
      return lastPage;
    }
    int slot = slot(pageKey);
    while (true) {
      long at = slots[slot << 1];
      if (at == pageKey) {
        lastKey = pageKey;
        lastPage = (int) slots[(slot << 1) + 1];
        return lastPage;
      }
      if (at == EMPTY) {
        return -1;
      }
      slot = (slot + 1) & slotMask;
    }
  }

  /**
   * Makes a page for {@code key}, which must have none. Its number is below {@link #created()}
   * afterwards.
   */
  int add(long key) {
    if (used * 2 > slotMask) {
      grow();
    }
    int page = freeCount > 0 ? free[--freeCount] : created++;
    insert(key >> SHIFT, page);
    used++;
    return page;
  }

  /** Gives up the page of {@code key}. */
  void remove(long key) {
    long pageKey = key >> SHIFT;
    lastKey = EMPTY;
    int hole = slot(pageKey);
    while (slots[hole << 1] != pageKey) {
      hole = (hole + 1) & slotMask;
    }
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = (int) slots[(hole << 1) + 1];
    used--;
    int next = hole;
    while (true) {
      next = (next + 1) & slotMask;
      long moved = slots[next << 1];
      if (moved == EMPTY) {
        break;
      }
      int home = slot(moved);
      if (((next - home) & slotMask) >= ((next - hole) & slotMask)) {
        put(hole, moved, slots[(next << 1) + 1]);
        hole = next;
      }
    }
    slots[hole << 1] = EMPTY;
  }

  /** Pages in use. */
  int used() {
    return used;
  }

  /** Page numbers ever given out. */
  int created() {
    return created;
  }

  private int slot(long pageKey) {
    return (int) ((pageKey * 0x9E3779B97F4A7C15L) >>> slotShift);
  }

  private void insert(long pageKey, long page) {
    int slot = slot(pageKey);
    while (slots[slot << 1] != EMPTY) {
      slot = (slot + 1) & slotMask;
    }
    put(slot, pageKey, page);
  }

  private void put(int slot, long pageKey, long page) {
    slots[slot << 1] = pageKey;
    slots[(slot << 1) + 1] = page;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    Arrays.fill(slots, EMPTY);
    slotMask = slots.length / 2 - 1;
    slotShift--;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != EMPTY) {
        insert(old[i], old[i + 1]);
      }
    }
  }
}
