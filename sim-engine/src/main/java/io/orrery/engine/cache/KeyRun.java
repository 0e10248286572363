package io.orrery.engine.cache;

/** Collects keys that come one after the other, up or down, into runs. */
final class KeyRun {
  private long first;
  private long last;
  private boolean empty = true;

  /** Takes {@code key} in, if it goes on where the run ends; else the run stays as it is. */
  boolean extend(long key) {
    if (empty) {
      first = key;
      empty = false;
    } else if (last == first
        ? Math.abs(key - last) != 1
        : key - last != Long.signum(last - first)) {
      return false;
    }
    last = key;
    return true;
  }

  /** Whether there is no key in it. */
  boolean isEmpty() {
    return empty;
  }

  /** The first key. */
  long first() {
    return first;
  }

  /** The last key; below the first if they go down. */
  long last() {
    return last;
  }

  /** Starts over. */
  void clear() {
    empty = true;
  }
}
