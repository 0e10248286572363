package io.orrery.engine.cluster;

import java.util.Arrays;

/**
 * A worker's block events on their way: each waits for the end of its step, then travels to the
 * router. A queue over two parallel arrays.
 */
final class EventLog {
  private long[] keys = new long[64];
  private long[] stamps = new long[64];
  private int head;
  private int size;

  /** Adds an event; stamps never decrease. */
  void add(long key, boolean stored, long stamp) {
    if (size == keys.length) {
      keys = unrolled(keys);
      stamps = unrolled(stamps);
      head = 0;
    }
    int at = (head + size++) & (keys.length - 1);
    keys[at] = stored ? key : ~key;
    stamps[at] = stamp;
  }

  private long[] unrolled(long[] ring) {
    long[] larger = Arrays.copyOf(ring, size * 2);
    for (int i = 0; i < size; i++) {
      larger[i] = ring[(head + i) & (size - 1)];
    }
    return larger;
  }

  /** Whether the first event's stamp is at most {@code stamp}. */
  boolean isDue(long stamp) {
    return size > 0 && stamps[head] <= stamp;
  }

  /** The stamp of the first event; there must be one. */
  long firstStamp() {
    return stamps[head];
  }

  /** Takes the first event: its key, or its complement for a removal. */
  long poll() {
    long key = keys[head];
    head = (head + 1) & (keys.length - 1);
    size--;
    return key;
  }
}
