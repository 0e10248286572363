package io.orrery.engine.cache;

import java.util.Arrays;

/** A byte of flags for every block key ever marked. One byte a key; never forgets. */
public final class BlockFlags {
  private final PageDirectory directory = new PageDirectory();
  private byte[] flags = new byte[PageDirectory.PAGE * 16];

  /** The flags of {@code key}. */
  public int get(long key) {
    int page = directory.find(key);
    return page < 0 ? 0 : flags[at(page, key)] & 0xFF;
  }

  /** Sets the bits of {@code bits} for {@code key} and returns the flags it had before. */
  public int mark(long key, int bits) {
    int page = directory.find(key);
    if (page < 0) {
      page = directory.add(key);
      if ((page + 1) * PageDirectory.PAGE > flags.length) {
        flags = Arrays.copyOf(flags, flags.length * 2);
      }
    }
    int at = at(page, key);
    int before = flags[at] & 0xFF;
    flags[at] = (byte) (before | bits);
    return before;
  }

  /**
   * The position of the first block from {@code from} on, below {@code limit}, that lacks {@code
   * bit}.
   */
  public int leadingWith(BlockKeys keys, int from, int limit, int bit) {
    int position = from;
    while (position < limit) {
      long key = keys.keyAt(position);
      int page = directory.find(key);
      if (page < 0) {
        return position;
      }
      int at = at(page, key);
      int end =
          at
              + keys.consecutive(
                  position,
                  Math.min(
                      limit - position, PageDirectory.PAGE - (int) (key & PageDirectory.MASK)));
      while (at < end) {
        if ((flags[at++] & bit) == 0) {
          return position;
        }
        position++;
      }
    }
    return limit;
  }

  /** How many keys have all bits of {@code with} and none of {@code without}. */
  public long count(int with, int without) {
    long n = 0;
    int end = directory.created() * PageDirectory.PAGE;
    for (int i = 0; i < end; i++) {
      if ((flags[i] & with) == with && (flags[i] & without) == 0) {
        n++;
      }
    }
    return n;
  }

  private static int at(int page, long key) {
    return (page << PageDirectory.SHIFT) + (int) (key & PageDirectory.MASK);
  }
}
