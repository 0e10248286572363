package io.orrery.traces;

/**
 * A map from any {@code long} to a non-negative {@code int}, open addressing with linear probing.
 * Sixteen to twenty-four bytes an entry, nothing boxed, nothing removed.
 */
final class LongIntMap {
  /** Returned where a key is absent. */
  static final int MISSING = -1;

  private long[] keys;

  /** Value + 1; 0 marks a free slot, so that every key may be used. */
  private int[] values;

  private int size;
  private int mask;

  LongIntMap() {
    keys = new long[16];
    values = new int[16];
    mask = 15;
  }

  int size() {
    return size;
  }

  int get(long key) {
    return values[slot(key)] - 1;
  }

  /**
   * Puts the value unless the key is there already.
   *
   * @return the value that was there before, {@link #MISSING} if the given one was put
   */
  int putIfAbsent(long key, int value) {
    int slot = slot(key);
    if (values[slot] != 0) {
      return values[slot] - 1;
    }
    keys[slot] = key;
    values[slot] = value + 1;
    if (++size * 3L > keys.length * 2L) {
      grow();
    }
    return MISSING;
  }

  private int slot(long key) {
    int slot = mixed(key) & mask;
    while (values[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[keys.length];
    mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }

  /** Fibonacci hashing with the high half folded in: dense and arithmetic keys spread well. */
  private static int mixed(long key) {
    long product = key * 0x9E3779B97F4A7C15L;
    return (int) (product >>> 32) ^ (int) (product >>> 20);
  }
}
