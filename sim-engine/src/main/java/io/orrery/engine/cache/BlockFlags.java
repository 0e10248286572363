package io.orrery.engine.cache;

import java.util.Arrays;

/** A byte of flags for every block key that was marked, in pages that are kept until forgotten. */
public final class BlockFlags {
  /** Keys of a page, which are forgotten together. */
  public static final int PAGE_KEYS = PageDirectory.PAGE;

  /** The number of a page is a key without so many low bits. */
  public static final int PAGE_SHIFT = PageDirectory.SHIFT;

  private final PageDirectory directory = new PageDirectory();
  private byte[] flags = new byte[PageDirectory.PAGE * 16];

  /** Pages of which something is known. */
  public int pages() {
    return directory.used();
  }

  /** Whether a key in the page of {@code key} has been marked. */
  public boolean knowsPageOf(long key) {
    return directory.find(key) >= 0;
  }

  /** The flags of {@code key}. */
  public int get(long key) {
    int page = directory.find(key);
    return page < 0 ? 0 : flags[at(page, key)] & 0xFF;
  }

  /** Sets the bits of {@code bits} for {@code key}. */
  public void mark(long key, int bits) {
    mark(key, 1, bits);
  }

  /** Sets the bits of {@code bits} for the keys {@code first, first + 1, …}, so many. */
  public void mark(long first, int count, int bits) {
    long end = first + count;
    for (long key = first; key < end; ) {
      long inPage = Math.min(end, (key | PageDirectory.MASK) + 1);
      int from = at(pageFor(key), key);
      int to = from + (int) (inPage - key);
      for (int at = from; at < to; at++) {
        flags[at] |= (byte) bits;
      }
      key = inPage;
    }
  }

  /** Sets the bits of {@code bits} for the blocks at [from, to). */
  public void mark(BlockKeys keys, int from, int to, int bits) {
    int position = from;
    while (position < to) {
      int count = keys.consecutive(position, to - position);
      mark(keys.keyAt(position), count, bits);
      position += count;
    }
  }

  private int pageFor(long key) {
    int page = directory.find(key);
    if (page < 0) {
      page = directory.add(key);
      if ((page + 1) * PageDirectory.PAGE > flags.length) {
        flags = Arrays.copyOf(flags, flags.length * 2);
      }
    }
    return page;
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
    return count(0, directory.created() << PageDirectory.SHIFT, with, without);
  }

  private int count(int from, int to, int with, int without) {
    int n = 0;
    for (int i = from; i < to; i++) {
      if ((flags[i] & with) == with && (flags[i] & without) == 0) {
        n++;
      }
    }
    return n;
  }

  /**
   * Forgets the flags of all keys in the page of {@code key}.
   *
   * @return how many of these keys had all bits of {@code with} and none of {@code without}
   */
  public int forgetPageOf(long key, int with, int without) {
    int page = directory.find(key);
    if (page < 0) {
      return 0;
    }
    int from = page << PageDirectory.SHIFT;
    int counted = count(from, from + PageDirectory.PAGE, with, without);
    Arrays.fill(flags, from, from + PageDirectory.PAGE, (byte) 0);
    directory.remove(key);
    return counted;
  }

  private static int at(int page, long key) {
    return (page << PageDirectory.SHIFT) + (int) (key & PageDirectory.MASK);
  }
}
