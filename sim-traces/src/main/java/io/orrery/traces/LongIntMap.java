package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * A map from any {@code long} to a non-negative {@code int}, open addressing with linear probing.
 * Sixteen to twenty-four bytes an entry, in columns, nothing boxed, nothing removed.
 */
final class LongIntMap {
  /** Returned where a key is absent. */
  static final int MISSING = -1;

  private static final int FIRST_SLOTS = 16;
  private static final int MOST_SLOTS = 1 << 30;

  private LongColumn keys;

  /** Value + 1; 0 marks a free slot, so that every key may be used. */
  private IntColumn values;

  private int size;
  private int mask;

  LongIntMap() {
    keys = LongColumn.filled(FIRST_SLOTS, 0);
    values = IntColumn.filled(FIRST_SLOTS, 0);
    mask = FIRST_SLOTS - 1;
  }

  int size() {
    return size;
  }

  int get(long key) {
    return values.get(slot(key)) - 1;
  }

  /**
   * Puts the value unless the key is there already.
   *
   * @return the value that was there before, {@link #MISSING} if the given one was put
   */
  int putIfAbsent(long key, int value) {
    int slot = slot(key);
    int known = values.get(slot);
    if (known != 0) {
      return known - 1;
    }
    keys.set(slot, key);
    values.set(slot, value + 1);
    if (++size * 3L > (mask + 1) * 2L) {
      grow();
    }
    return MISSING;
  }

  /** Takes an entry of a map. */
  interface EntryConsumer {
    void accept(long key, int value);
  }

  /** Hands over all entries, in any order. */
  void forEach(EntryConsumer consumer) {
    for (int i = 0; i <= mask; i++) {
      if (values.get(i) != 0) {
        consumer.accept(keys.get(i), values.get(i) - 1);
      }
    }
  }

  /** Gives up the entries; nobody may ask for one any more. */
  void release() {
    keys.release();
    values.release();
  }

  private int slot(long key) {
    int slot = mixed(key) & mask;
    while (values.get(slot) != 0 && keys.get(slot) != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    if (mask + 1 == MOST_SLOTS) {
      throw new TraceException(
          null, 0, "distinct names", size + " of them", "at most " + (size - 1));
    }
    LongColumn oldKeys = keys;
    IntColumn oldValues = values;
    int slots = (mask + 1) * 2;
    keys = LongColumn.filled(slots, 0);
    values = IntColumn.filled(slots, 0);
    mask = slots - 1;
    for (int i = 0; i < oldKeys.size(); i++) {
      if (oldValues.get(i) != 0) {
        int slot = slot(oldKeys.get(i));
        keys.set(slot, oldKeys.get(i));
        values.set(slot, oldValues.get(i));
      }
    }
    oldKeys.release();
    oldValues.release();
  }

  /** Fibonacci hashing with the high half folded in: dense and arithmetic keys spread well. */
  private static int mixed(long key) {
    long product = key * 0x9E3779B97F4A7C15L;
    return (int) (product >>> 32) ^ (int) (product >>> 20);
  }
}
