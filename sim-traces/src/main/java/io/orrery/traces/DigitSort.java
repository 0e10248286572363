package io.orrery.traces;

/**
 * A stable sort of keys and their rows. What is in order already is left alone; all else is sorted
 * digit by digit, the least one first, so that a key costs the same however the keys lie.
 */
final class DigitSort {
  /** Bits of a digit: more for many keys, where counters cost less than another pass over all. */
  private static final int FEW_BITS = 8;

  private static final int MANY_BITS = 11;
  private static final int MANY = 1 << 14;
  private static final int[] NO_ROWS = {};

  /** Up to so many, moving each to its place takes less than counting digits. */
  private static final int SMALL = 48;

  private final int count;
  private final boolean withRows;
  private final int digitBits;
  private final long least;

  /** How far the keys lie above the least, which has fewer digits than the keys. */
  private long[] distances;

  private int[] rows;

  private DigitSort(long[] keys, int count, boolean withRows) {
    this.count = count;
    this.withRows = withRows;
    digitBits = count < MANY ? FEW_BITS : MANY_BITS;
    rows = withRows ? upTo(count) : NO_ROWS;
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    boolean sorted = true;
    for (int i = 0; i < count; i++) {
      sorted &= high <= keys[i];
      low = Math.min(low, keys[i]);
      high = Math.max(high, keys[i]);
    }
    least = low;
    distances = new long[count];
    for (int i = 0; i < count; i++) {
      distances[i] = keys[i] - least;
    }
    if (!sorted && count <= SMALL) {
      insert();
    } else if (!sorted) {
      sort(high - least);
    }
  }

  /** Sorts the first {@code count} keys, and says where each was. */
  static DigitSort withRows(long[] keys, int count) {
    return new DigitSort(keys, count, true);
  }

  /** Sorts the first {@code count} keys alone. */
  static DigitSort ofKeys(long[] keys, int count) {
    return new DigitSort(keys, count, false);
  }

  /** Where the keys were, in their order; those of equal keys ascend. */
  int[] rows() {
    return rows;
  }

  /** The keys in order, into the beginning of an array. */
  void keys(long[] target) {
    for (int i = 0; i < count; i++) {
      target[i] = least + distances[i];
    }
  }

  private static int[] upTo(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    return numbers;
  }

  private void insert() {
    for (int i = 1; i < count; i++) {
      long key = distances[i];
      int row = withRows ? rows[i] : 0;
      int j = i;
      while (j > 0 && Long.compareUnsigned(distances[j - 1], key) > 0) {
        distances[j] = distances[j - 1];
        if (withRows) {
          rows[j] = rows[j - 1];
        }
        j--;
      }
      distances[j] = key;
      if (withRows) {
        rows[j] = row;
      }
    }
  }

  private void sort(long most) {
    long[] keysTo = new long[count];
    int[] rowsTo = new int[rows.length];
    int bits = Long.SIZE - Long.numberOfLeadingZeros(most);
    for (int shift = 0; shift < bits; shift += digitBits) {
      int[] places = places(shift);
      if (places.length == 0) {
        continue;
      }
      if (withRows) {
        move(shift, places, keysTo, rowsTo);
      } else {
        move(shift, places, keysTo);
      }
      long[] keysFrom = distances;
      distances = keysTo;
      keysTo = keysFrom;
      int[] rowsFrom = rows;
      rows = rowsTo;
      rowsTo = rowsFrom;
    }
  }

  /** Where the keys with each digit begin; nothing if all have the same. */
  private int[] places(int shift) {
    int[] places = new int[1 << digitBits];
    for (int i = 0; i < count; i++) {
      places[digit(distances[i], shift)]++;
    }
    int before = 0;
    for (int digit = 0; digit < places.length; digit++) {
      int those = places[digit];
      if (those == count) {
        return new int[0];
      }
      places[digit] = before;
      before += those;
    }
    return places;
  }

  private void move(int shift, int[] places, long[] keysTo, int[] rowsTo) {
    for (int i = 0; i < count; i++) {
      long key = distances[i];
      int place = places[digit(key, shift)]++;
      keysTo[place] = key;
      rowsTo[place] = rows[i];
    }
  }

  private void move(int shift, int[] places, long[] keysTo) {
    for (int i = 0; i < count; i++) {
      long key = distances[i];
      keysTo[places[digit(key, shift)]++] = key;
    }
  }

  private int digit(long key, int shift) {
    return (int) (key >>> shift) & ((1 << digitBits) - 1);
  }
}
