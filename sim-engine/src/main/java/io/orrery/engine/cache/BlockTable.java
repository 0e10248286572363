package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * What is known of each physical block of a pool, and which block holds a key.
 *
 * <p>A block's fields stand together in one array, half a cache line each: blocks are visited one
 * by one, and seldom in the order of their numbers.
 *
 * <p>Blocks are found by key in a hash table of slots, an {@code int} each: a block, and above it
 * as many bits of its key's hash as there is room for. Blocks that share a slot are a chain behind
 * the one that came last. The bits of the hash say which block is meant without a look at others,
 * which would each be a cache miss, and a mark in the slot says whether there is a chain at all, so
 * that what comes and goes touches one slot. Keys stand in the order of their numbers, 4,096 in a
 * row: a run of blocks is found and forgotten in few cache lines, and what a worker stores one
 * after the other, or evicts, mostly has numbers close to one another.
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

  /** The entry of the next block of the same slot, or 0. */
  private static final int NEXT_IN_SLOT = 6;

  private static final int FIELDS_SHIFT = 3;
  private static final int WINDOW_SHIFT = 12;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Slots per block, at least: with so many, few blocks share one. */
  private static final int ROOM = 4;

  /** In an entry: there is a chain behind the block, or there was one. */
  private static final int CHAINED = 1 << 31;

  private int[] fields;

  /**
   * An entry for each slot, from the top: {@link #CHAINED}, bits of a hash, {@link #blockBits} of a
   * block; 0 is empty.
   */
  private int[] slots;

  private int slotMask;
  private int blockBits;
  private int blockMask;

  /**
   * @param blocks for which there is room at first
   */
  BlockTable(int blocks) {
    fields = new int[Math.multiplyExact(blocks, 1 << FIELDS_SHIFT)];
    makeSlots();
  }

  private void makeSlots() {
    int wanted = Math.multiplyExact(room(), ROOM);
    slots = new int[Integer.highestOneBit(wanted - 1) << 1];
    slotMask = slots.length - 1;
    blockBits = Integer.SIZE - Integer.numberOfLeadingZeros(room() - 1);
    blockMask = (1 << blockBits) - 1;
  }

  /** Blocks for which there is room. */
  int room() {
    return fields.length >> FIELDS_SHIFT;
  }

  /** Makes room for twice as many blocks. */
  void grow() {
    fields = Arrays.copyOf(fields, Math.multiplyExact(fields.length, 2));
    int[] old = slots;
    int oldMask = blockMask;
    makeSlots();
    for (int head : old) {
      int block = head & oldMask;
      while (block != 0) {
        int next = get(block, NEXT_IN_SLOT) & oldMask;
        put(block, key(block));
        block = next;
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
    int tag = tag(key);
    int entry = slots[slot(key)];
    while (true) {
      int block = entry & blockMask;
      if (((entry ^ tag) & ~(CHAINED | blockMask)) == 0 && key(block) == key) {
        return block;
      }
      if (entry >= 0) {
        return 0;
      }
      entry = get(block, NEXT_IN_SLOT);
    }
  }

  /**
   * Has {@code block} be found by {@code key}, unless another can be found by it.
   *
   * @return that other one, or 0
   */
  int addIfAbsent(int block, long key) {
    int found = find(key);
    if (found == 0) {
      put(block, key);
    }
    return found;
  }

  private void put(int block, long key) {
    int slot = slot(key);
    int behind = slots[slot];
    set(block, NEXT_IN_SLOT, behind);
    slots[slot] = tag(key) | block | (behind == 0 ? 0 : CHAINED);
  }

  /** Has {@code successor} be found by {@code key} instead of {@code block}. */
  void replace(int block, long key, int successor) {
    int behind = get(block, NEXT_IN_SLOT);
    set(successor, NEXT_IN_SLOT, behind);
    putInPlaceOf(block, slot(key), tag(key) | successor | (behind == 0 ? 0 : CHAINED));
  }

  /** Has {@code block} no longer be found by {@code key}. */
  void remove(int block, long key) {
    putInPlaceOf(block, slot(key), get(block, NEXT_IN_SLOT));
  }

  /** Writes another entry where that of a block stands: in the slot, or in its chain. */
  private void putInPlaceOf(int block, int slot, int entry) {
    int before = slots[slot] & blockMask;
    if (before == block) {
      slots[slot] = entry;
      return;
    }
    int next;
    while ((next = get(before, NEXT_IN_SLOT) & blockMask) != block) {
      before = next;
    }
    set(before, NEXT_IN_SLOT, entry);
  }

  private int slot(long key) {
    return ((int) key + (int) (((key >>> WINDOW_SHIFT) * GOLDEN) >>> 32)) & slotMask;
  }

  /** The uppermost bits of a key's hash, where an entry has them. */
  private int tag(long key) {
    return (int) ((key * GOLDEN) >>> (33 + blockBits)) << blockBits;
  }
}
