package io.orrery.engine.cluster;

import java.util.Arrays;

/**
 * A worker's block events on their way: each waits for the end of its step, then travels to the
 * router. Events of blocks with consecutive keys that happen in a row are one entry, which keeps
 * their order. A queue over parallel arrays.
 */
final class EventLog {
  /** The first key, or the complement of that of a removal. */
  private long[] firsts = new long[64];

  private long[] lasts = new long[64];
  private long[] stamps = new long[64];
  private int head;
  private int size;

  /**
   * Adds events; stamps never decrease.
   *
   * @param first the key of the first event; others follow up, or down, to {@code last}
   */
  void add(long first, long last, boolean stored, long stamp) {
    if (size == firsts.length) {
      firsts = unrolled(firsts);
      lasts = unrolled(lasts);
      stamps = unrolled(stamps);
      head = 0;
    }
    int at = (head + size++) & (firsts.length - 1);
    firsts[at] = stored ? first : ~first;
    lasts[at] = last;
    stamps[at] = stamp;
  }

  private long[] unrolled(long[] ring) {
    long[] larger = Arrays.copyOf(ring, size * 2);
    for (int i = 0; i < size; i++) {
      larger[i] = ring[(head + i) & (size - 1)];
    }
    return larger;
  }

  /** Whether there is no event. */
  boolean isEmpty() {
    return size == 0;
  }

  /** Whether the first entry's stamp is at most {@code stamp}. */
  boolean isDue(long stamp) {
    return size > 0 && stamps[head] <= stamp;
  }

  /** The stamp of the first entry; there must be one. */
  long firstStamp() {
    return stamps[head];
  }

  /** Whether the first entry says that keys were stored. */
  boolean isStored() {
    return firsts[head] >= 0;
  }

  /** The key of the first entry's first event. */
  long first() {
    long first = firsts[head];
    return first >= 0 ? first : ~first;
  }

  /** The key of the first entry's last event. */
  long last() {
    return lasts[head];
  }

  /** Takes the first entry out. */
  void drop() {
    head = (head + 1) & (firsts.length - 1);
    size--;
  }
}
