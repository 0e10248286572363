package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * A map from block keys (long) to ints in pages of {@value #PAGE} consecutive keys.
 *
 * <p>The keys of a prompt are a few runs of consecutive numbers, so one hash look-up per page and an array access per
 * key replace one hash look-up per key, and neighbouring keys share a cache line. Value 0 means absent. Memory grows
 * with the pages that hold a value; an emptied page is reused. Keys are any {@code long} but {@link Long#MIN_VALUE}.
 */
public final class PagedBlockMap {
  /** Keys per page; a power of two. */
  public static final int PAGE = 32;

  static final int SHIFT = 5;
  private static final int MASK = PAGE - 1;
  private static final long EMPTY = Long.MIN_VALUE;

  private long[] pageKeys;
  private int[] pageOf;
  private int directoryMask;
  private int pagesInUse;

  private int[] values = new int[PAGE * 16];
  private int[] live = new int[16];
  private int pageCount;
  private int[] freePages = new int[16];
  private int freePageCount;

  public PagedBlockMap() {
    pageKeys = new long[64];
    pageOf = new int[64];
    Arrays.fill(pageKeys, EMPTY);
    directoryMask = 63;
  }

  /** The value of {@code key}, or 0. */
  public int get(long key) {
    int base = pageBase(key >> SHIFT);
    return base < 0 ? 0 : values[base + (int) (key & MASK)];
  }

  /**
   * Sets the value of {@code key}; 0 removes it.
   *
   * @return the previous value, 0 if there was none
   */
  public int put(long key, int value) {
    long pageKey = key >> SHIFT;
    int base = pageBase(pageKey);
    if (base < 0) {
      if (value == 0) {
        return 0;
      }
      base = addPage(pageKey);
    }
    int at = base + (int) (key & MASK);
    int previous = values[at];
    values[at] = value;
    if (previous == 0 && value != 0) {
      live[base >> SHIFT]++;
    } else if (previous != 0 && value == 0 && --live[base >> SHIFT] == 0) {
      removePage(pageKey, base >> SHIFT);
    }
    return previous;
  }

  /** Adds {@code delta} to the value of {@code key} and returns the new value; reaching 0 removes the key. */
  public int add(long key, int delta) {
    int base = pageBase(key >> SHIFT);
    int next = (base < 0 ? 0 : values[base + (int) (key & MASK)]) + delta;
    put(key, next);
    return next;
  }

  /**
   * Copies the leading non-zero values of the consecutive keys {@code first, first + 1, …}.
   *
   * @return how many were copied: the distance to the first absent key, at most {@code length}
   */
  public int copyLeading(long first, int length, int[] target, int offset) {
    int done = 0;
    while (done < length) {
      long key = first + done;
      int base = pageBase(key >> SHIFT);
      if (base < 0) {
        return done;
      }
      int at = base + (int) (key & MASK);
      int end = at + Math.min(length - done, PAGE - (int) (key & MASK));
      while (at < end) {
        int value = values[at];
        if (value == 0) {
          return done;
        }
        target[offset + done] = value;
        done++;
        at++;
      }
    }
    return done;
  }

  /** Pages that hold at least one value. */
  public int pages() {
    return pagesInUse;
  }

  private int pageBase(long pageKey) {
    int slot = slot(pageKey);
    while (true) {
      long at = pageKeys[slot];
      if (at == pageKey) {
        return pageOf[slot] << SHIFT;
      }
      if (at == EMPTY) {
        return -1;
      }
      slot = (slot + 1) & directoryMask;
    }
  }

  private int slot(long pageKey) {
    long h = pageKey * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 32) & directoryMask;
  }

  private int addPage(long pageKey) {
    if (pagesInUse * 2 >= pageKeys.length) {
      growDirectory();
    }
    int page;
    if (freePageCount > 0) {
      page = freePages[--freePageCount];
    } else {
      page = pageCount++;
      if (page == live.length) {
        live = Arrays.copyOf(live, page * 2);
        values = Arrays.copyOf(values, page * 2 * PAGE);
      }
    }
    insert(pageKey, page);
    pagesInUse++;
    return page << SHIFT;
  }

  private void insert(long pageKey, int page) {
    int slot = slot(pageKey);
    while (pageKeys[slot] != EMPTY) {
      slot = (slot + 1) & directoryMask;
    }
    pageKeys[slot] = pageKey;
    pageOf[slot] = page;
  }

  private void removePage(long pageKey, int page) {
    int hole = slot(pageKey);
    while (pageKeys[hole] != pageKey) {
      hole = (hole + 1) & directoryMask;
    }
    // Backward-shift deletion keeps probe sequences unbroken without tombstones.
    int next = hole;
    while (true) {
      next = (next + 1) & directoryMask;
      long moved = pageKeys[next];
      if (moved == EMPTY) {
        break;
      }
      int home = slot(moved);
      if (((next - home) & directoryMask) >= ((next - hole) & directoryMask)) {
        pageKeys[hole] = moved;
        pageOf[hole] = pageOf[next];
        hole = next;
      }
    }
    pageKeys[hole] = EMPTY;
    if (freePageCount == freePages.length) {
      freePages = Arrays.copyOf(freePages, freePageCount * 2);
    }
    freePages[freePageCount++] = page;
    pagesInUse--;
  }

  private void growDirectory() {
    long[] oldKeys = pageKeys;
    int[] oldPages = pageOf;
    pageKeys = new long[oldKeys.length * 2];
    pageOf = new int[oldKeys.length * 2];
    Arrays.fill(pageKeys, EMPTY);
    directoryMask = pageKeys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != EMPTY) {
        insert(oldKeys[i], oldPages[i]);
      }
    }
  }
}
