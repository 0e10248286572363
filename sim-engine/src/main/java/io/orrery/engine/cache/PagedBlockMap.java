package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * A map from block keys to ints. Value 0 means absent. Memory grows with the pages (of 32
 * consecutive keys) that hold a value; an emptied page is reused.
 */
public final class PagedBlockMap {
  private final PageDirectory directory = new PageDirectory();
  private int[] values = new int[PageDirectory.PAGE * 16];
  private int[] live = new int[16];

  /** The value of {@code key}, or 0. */
  public int get(long key) {
    int page = directory.find(key);
    return page < 0 ? 0 : values[at(page, key)];
  }

  /**
   * Sets the value of {@code key}; 0 removes it.
   *
   * @return the previous value, 0 if there was none
   */
  public int put(long key, int value) {
    int page = directory.find(key);
    if (page < 0) {
      if (value == 0) {
        return 0;
      }
      page = directory.add(key);
      if (page >= live.length) {
        live = Arrays.copyOf(live, live.length * 2);
        values = Arrays.copyOf(values, live.length * PageDirectory.PAGE);
      }
    }
    int at = at(page, key);
    int previous = values[at];
    values[at] = value;
    if (previous == 0 && value != 0) {
      live[page]++;
    } else if (previous != 0 && value == 0 && --live[page] == 0) {
      directory.remove(key);
    }
    return previous;
  }

  /**
   * Adds {@code delta} to the value of {@code key} and returns the new value; reaching 0 removes
   * the key.
   */
  public int add(long key, int delta) {
    int page = directory.find(key);
    if (page >= 0) {
      int at = at(page, key);
      int next = values[at] + delta;
      if (values[at] != 0 && next != 0) {
        values[at] = next;
        return next;
      }
      put(key, next);
      return next;
    }
    put(key, delta);
    return delta;
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
      int page = directory.find(key);
      if (page < 0) {
        return done;
      }
      int at = at(page, key);
      int end = at + Math.min(length - done, PageDirectory.PAGE - (int) (key & PageDirectory.MASK));
      while (at < end) {
        int value = values[at++];
        if (value == 0) {
          return done;
        }
        target[offset + done++] = value;
      }
    }
    return done;
  }

  /** Pages that hold at least one value. */
  public int pages() {
    return directory.used();
  }

  private static int at(int page, long key) {
    return (page << PageDirectory.SHIFT) + (int) (key & PageDirectory.MASK);
  }
}
