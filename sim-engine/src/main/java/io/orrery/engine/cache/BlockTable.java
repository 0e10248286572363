package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * What is known of each physical block of a pool, and which block holds a key.
 *
 * <p>A block's fields stand together in one array, half a cache line each: blocks are visited one
 * by one, and seldom in the order of their numbers.
 *
 * <p>Blocks are found by key in a hash table of slots that hold a block and 32 bits of its key's
 * hash: open addressing with linear probing and backward-shift deletion. The hash says which block
 * is meant without a look at others, which would each be a cache miss, and where a slot that is
 * moved belongs. Neighbouring keys have neighbouring slots, {@value #NEIGHBOURS} in a row, so that
 * a run of blocks is found and forgotten in few cache lines.
 *
 * <p>Block 0 stands for none.
 */
final class BlockTable {
  // The fields of a block.
  private static final int KEY_LOW = 0;
  private static final int KEY_HIGH = 1;
  static final int REFERENCES = 2;

  /** In the queue of free blocks. */
  static final int PLACE = 3;

  // Copies of one key: a ring, oldest insertion first.
  static final int NEXT_COPY = 4;
  static final int PREVIOUS_COPY = 5;

  private static final int FIELDS_SHIFT = 3;
  private static final int NEIGHBOURS = 8;
  private static final int NEIGHBOURS_SHIFT = 3;

  /** Slots per block, at least. */
  private static final int ROOM = 2;

  private int[] fields;

  /** The hash of a key in the upper half, the block that holds it in the lower one; 0 is empty. */
  private long[] slots;

  private int slotMask;

  /**
   * @param blocks for which there is room at first
   */
  BlockTable(int blocks) {
    fields = new int[Math.multiplyExact(blocks, 1 << FIELDS_SHIFT)];
    slots = makeSlots();
    slotMask = slots.length - 1;
  }

  private long[] makeSlots() {
    int wanted = Math.max(NEIGHBOURS, Math.multiplyExact(room(), ROOM));
    return new long[Integer.highestOneBit(wanted - 1) << 1];
  }

  /** Blocks for which there is room. */
  int room() {
    return fields.length >> FIELDS_SHIFT;
  }

  /** Makes room for twice as many blocks. */
  void grow() {
    fields = Arrays.copyOf(fields, Math.multiplyExact(fields.length, 2));
    long[] old = slots;
    slots = makeSlots();
    slotMask = slots.length - 1;
    for (long entry : old) {
      if (entry != 0) {
        put(entry);
      }
    }
  }

  int get(int block, int field) {
    return fields[(block << FIELDS_SHIFT) + field];
  }

  void set(int block, int field, int value) {
    fields[(block << FIELDS_SHIFT) + field] = value;
  }

  /** Adds to a field and returns its new value. */
  int add(int block, int field, int by) {
    return fields[(block << FIELDS_SHIFT) + field] += by;
  }

  /** The key that was given to a block. */
  long key(int block) {
    int at = block << FIELDS_SHIFT;
    return ((long) fields[at + KEY_HIGH] << 32) | (fields[at + KEY_LOW] & 0xFFFFFFFFL);
  }

  void setKey(int block, long key) {
    int at = block << FIELDS_SHIFT;
    fields[at + KEY_LOW] = (int) key;
    fields[at + KEY_HIGH] = (int) (key >> 32);
  }

  /** The block that can be found by {@code key}, or 0. */
  int find(long key) {
    int hash = hash(key);
    int slot = hash & slotMask;
    long entry;
    while ((entry = slots[slot]) != 0) {
      if ((int) (entry >>> 32) == hash && key((int) entry) == key) {
        return (int) entry;
      }
      slot = (slot + 1) & slotMask;
    }
    return 0;
  }

  /** Has {@code block} be found by {@code key}, by which no other can be found. */
  void add(int block, long key) {
    put(entry(block, hash(key)));
  }

  private void put(long entry) {
    int slot = (int) (entry >>> 32) & slotMask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & slotMask;
    }
    slots[slot] = entry;
  }

  /** Has {@code successor} be found by {@code key} instead of {@code block}. */
  void replace(int block, long key, int successor) {
    slots[slotOf(block, key)] = entry(successor, hash(key));
  }

  /** Has {@code block} no longer be found by {@code key}. */
  void remove(int block, long key) {
    int hole = slotOf(block, key);
    int next = hole;
    long moved;
    while ((moved = slots[next = (next + 1) & slotMask]) != 0) {
      int home = (int) (moved >>> 32) & slotMask;
      if (((next - home) & slotMask) >= ((next - hole) & slotMask)) {
        slots[hole] = moved;
        hole = next;
      }
    }
    slots[hole] = 0;
  }

  private int slotOf(int block, long key) {
    int slot = hash(key) & slotMask;
    while ((int) slots[slot] != block) {
      slot = (slot + 1) & slotMask;
    }
    return slot;
  }

  private static long entry(int block, int hash) {
    return ((long) hash << 32) | block;
  }

  private static int hash(long key) {
    int neighbours = (int) (((key >>> NEIGHBOURS_SHIFT) * 0x9E3779B97F4A7C15L) >>> 32);
    return (neighbours << NEIGHBOURS_SHIFT) | (int) (key & (NEIGHBOURS - 1));
  }
}
