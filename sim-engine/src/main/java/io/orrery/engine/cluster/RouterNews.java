package io.orrery.engine.cluster;

import java.util.Arrays;

/**
 * What replicas of the router tell one another: a log that each reads at its own pace, every entry
 * once it has travelled long enough.
 */
final class RouterNews {
  /** What happened. */
  enum Kind {
    PLACED,
    FIRST_TOKEN,
    ENDED
  }

  private static final Kind[] KINDS = Kind.values();

  private long[] nanos = new long[64];
  private int[] rows = new int[64];
  private int[] workers = new int[64];
  private int[] uncached = new int[64];
  private byte[] origins = new byte[64];
  private byte[] kinds = new byte[64];
  private int size;

  /** By replica: the next entry that it has not read. */
  private final int[] next;

  RouterNews(int replicas) {
    next = new int[replicas];
  }

  void add(Kind kind, int origin, int row, int worker, int uncachedTokens, long now) {
    if (size == nanos.length) {
      forget();
    }
    nanos[size] = now;
    rows[size] = row;
    workers[size] = worker;
    uncached[size] = uncachedTokens;
    origins[size] = (byte) origin;
    kinds[size++] = (byte) kind.ordinal();
  }

  /** Drops what everybody has read, and makes room if that is little. */
  private void forget() {
    int read = Arrays.stream(next).min().orElse(0);
    int length = read > size / 2 ? nanos.length : nanos.length * 2;
    nanos = Arrays.copyOf(Arrays.copyOfRange(nanos, read, size), length);
    rows = Arrays.copyOf(Arrays.copyOfRange(rows, read, size), length);
    workers = Arrays.copyOf(Arrays.copyOfRange(workers, read, size), length);
    uncached = Arrays.copyOf(Arrays.copyOfRange(uncached, read, size), length);
    origins = Arrays.copyOf(Arrays.copyOfRange(origins, read, size), length);
    kinds = Arrays.copyOf(Arrays.copyOfRange(kinds, read, size), length);
    size -= read;
    for (int r = 0; r < next.length; r++) {
      next[r] -= read;
    }
  }

  /**
   * The next entry of another replica that {@code replica} can have heard of, or -1.
   *
   * @param latest entries up to this moment have arrived
   */
  int poll(int replica, long latest) {
    while (next[replica] < size && nanos[next[replica]] <= latest) {
      int entry = next[replica]++;
      if (origins[entry] != (byte) replica) {
        return entry;
      }
    }
    return -1;
  }

  /** When the next entry of another replica was added that {@code replica} has not read, or -1. */
  long nextNanos(int replica) {
    int entry = next[replica];
    while (entry < size && origins[entry] == (byte) replica) {
      entry++;
    }
    return entry < size ? nanos[entry] : -1;
  }

  Kind kind(int entry) {
    return KINDS[kinds[entry]];
  }

  long nanos(int entry) {
    return nanos[entry];
  }

  int row(int entry) {
    return rows[entry];
  }

  int worker(int entry) {
    return workers[entry];
  }

  int uncachedTokens(int entry) {
    return uncached[entry];
  }
}
