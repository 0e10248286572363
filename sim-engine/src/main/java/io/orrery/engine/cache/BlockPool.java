package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * The device KV cache of one worker: physical blocks under reference counts, a free queue in
 * eviction order, and the map from block keys to the copies that hold them. It follows vLLM's
 * {@code BlockPool} block for block.
 *
 * <ul>
 *   <li>Block 0 is vLLM's null block and is never handed out: a pool of {@code n} blocks has {@code
 *       n - 1} usable ones, queued as 1, 2, 3, … at the start.
 *   <li>Blocks are taken from the front of the free queue; only then does a block lose its key, one
 *       by one.
 *   <li>A released block keeps its key. References are dropped deepest block first. Blocks that
 *       reach zero go to the tail of the queue; blocks without a key go to the front instead where
 *       {@code unkeyedToFront} is set (vLLM since June 2026), keeping their order.
 *   <li>Several blocks may hold one key. A look-up returns the oldest inserted that is still there;
 *       evicting one leaves the others. Blocks are never merged.
 * </ul>
 *
 * <p>Keys are non-negative {@code long}s that stand for a block and its whole prefix. Nothing here
 * allocates after construction but the growth of the key map, and of a pool without limit.
 */
public final class BlockPool {
  /** The key of a block that holds none. */
  public static final long NO_KEY = -1;

  /**
   * So many blocks and more are a pool without limit: blocks come into being when they are first
   * taken, before any that holds a key would be taken again, so nothing is ever evicted.
   */
  public static final int UNLIMITED = 1 << 30;

  private static final int FIRST_BLOCKS = 1 << 10;

  // A block's fields stand together in one array, half a cache line each: blocks are visited one by
  // one, and seldom in the order of their numbers.
  private static final int FIELDS_SHIFT = 3;
  private static final int KEY_LOW = 0;
  private static final int KEY_HIGH = 1;
  private static final int REFERENCES = 2;
  // Free queue: doubly linked; block 0 (the null block) is the sentinel.
  private static final int NEXT = 3;
  private static final int PREVIOUS = 4;
  // Copies of one key: circular lists, oldest insertion first; the map points at the oldest.
  private static final int NEXT_COPY = 5;
  private static final int PREVIOUS_COPY = 6;

  private final boolean unkeyedToFront;
  private final int blocks;
  private final boolean unlimited;
  private int[] fields;
  private int made;
  private final PagedBlockMap oldestCopy = new PagedBlockMap();
  private final PoolListener listener;
  private int[] front = new int[16];
  private int free;
  private int keyed;

  /**
   * @param blocks physical blocks including the null block, at least 2
   * @param unkeyedToFront whether released blocks without a key are reused first
   * @param listener hears when a key gains its first and loses its last copy
   */
  public BlockPool(int blocks, boolean unkeyedToFront, PoolListener listener) {
    if (blocks < 2) {
      throw new IllegalArgumentException(
          "a pool needs at least 2 blocks (one is the null block), got " + blocks);
    }
    this.blocks = blocks;
    this.unkeyedToFront = unkeyedToFront;
    this.listener = listener;
    unlimited = blocks >= UNLIMITED;
    int room = unlimited ? FIRST_BLOCKS : blocks;
    fields = new int[Math.multiplyExact(room, 1 << FIELDS_SHIFT)];
    made = unlimited ? 1 : blocks;
    for (int block = 0; block < made; block++) {
      setKey(block, NO_KEY);
      set(block, NEXT, block + 1 == made ? 0 : block + 1);
      set(block, PREVIOUS, block == 0 ? made - 1 : block - 1);
    }
    free = blocks - 1;
  }

  /** Makes one more block; it is not in the queue. */
  private int make() {
    if (made << FIELDS_SHIFT == fields.length) {
      fields = Arrays.copyOf(fields, Math.multiplyExact(fields.length, 2));
    }
    int block = made++;
    setKey(block, NO_KEY);
    set(block, NEXT, block);
    set(block, PREVIOUS, block);
    return block;
  }

  /** Usable blocks: all but the null block. */
  public int usableBlocks() {
    return blocks - 1;
  }

  /** Blocks without a reference, with or without a key. */
  public int freeBlocks() {
    return free;
  }

  /** Blocks that hold a key. */
  public int keyedBlocks() {
    return keyed;
  }

  /** References to {@code block}. */
  public int references(int block) {
    return get(block, REFERENCES);
  }

  /** The key that {@code block} holds, or {@link #NO_KEY}. */
  public long keyOf(int block) {
    return ((long) get(block, KEY_HIGH) << 32) | (get(block, KEY_LOW) & 0xFFFFFFFFL);
  }

  private void setKey(int block, long key) {
    set(block, KEY_LOW, (int) key);
    set(block, KEY_HIGH, (int) (key >> 32));
  }

  private int get(int block, int field) {
    return fields[(block << FIELDS_SHIFT) + field];
  }

  private void set(int block, int field, int value) {
    fields[(block << FIELDS_SHIFT) + field] = value;
  }

  /**
   * The oldest inserted block that holds {@code blockKey}, or 0. Changes nothing: a look-up is not
   * a use.
   */
  public int lookUp(long blockKey) {
    return oldestCopy.get(blockKey);
  }

  /**
   * Looks up consecutive keys until one is absent.
   *
   * @return how many leading keys of {@code firstKey, firstKey + 1, …} are held; their blocks are
   *     written to {@code target} from {@code offset}
   */
  public int lookUpRun(long firstKey, int length, int[] target, int offset) {
    return oldestCopy.copyLeading(firstKey, length, target, offset);
  }

  /** Adds a reference to a block found by look-up; a free block leaves the queue. */
  public void touch(int block) {
    if (fields[(block << FIELDS_SHIFT) + REFERENCES]++ == 0) {
      unlink(block);
    }
  }

  /**
   * Takes the block at the front of the free queue, evicting its key. The queue must not be empty.
   */
  public int take() {
    int block = get(0, NEXT);
    if (block == 0) {
      if (!unlimited) {
        throw new IllegalStateException("no free block");
      }
      block = make();
    }
    unlink(block);
    if (keyOf(block) != NO_KEY) {
      evict(block);
    }
    set(block, REFERENCES, 1);
    return block;
  }

  /** Gives {@code block} its key: it can be found from now on. */
  public void assign(int block, long blockKey) {
    setKey(block, blockKey);
    keyed++;
    int oldest = oldestCopy.get(blockKey);
    if (oldest == 0) {
      oldestCopy.put(blockKey, block);
      set(block, NEXT_COPY, block);
      set(block, PREVIOUS_COPY, block);
      listener.stored(blockKey);
    } else {
      int newest = get(oldest, PREVIOUS_COPY);
      set(newest, NEXT_COPY, block);
      set(block, PREVIOUS_COPY, newest);
      set(block, NEXT_COPY, oldest);
      set(oldest, PREVIOUS_COPY, block);
    }
    listener.assigned(block, blockKey);
  }

  /**
   * Drops one reference of each of the first {@code count} blocks of {@code table}, last block
   * first.
   */
  public void release(int[] table, int count) {
    int frontCount = 0;
    for (int i = count - 1; i >= 0; i--) {
      int block = table[i];
      if (--fields[(block << FIELDS_SHIFT) + REFERENCES] == 0) {
        if (unkeyedToFront && keyOf(block) == NO_KEY) {
          if (frontCount == front.length) {
            front = Arrays.copyOf(front, frontCount * 2);
          }
          front[frontCount++] = block;
        } else if (unlimited) {
          // It would stand behind all blocks that are still to be made: nobody comes to it.
          set(block, NEXT, block);
          set(block, PREVIOUS, block);
        } else {
          linkBetween(block, get(0, PREVIOUS), 0);
        }
        free++;
      }
    }
    int after = 0;
    for (int i = 0; i < frontCount; i++) {
      linkBetween(front[i], after, get(after, NEXT));
      after = front[i];
    }
  }

  /** Writes the free queue, front first, and returns its length. */
  public int copyFreeQueue(int[] target) {
    int n = 0;
    for (int block = get(0, NEXT); block != 0; block = get(block, NEXT)) {
      target[n++] = block;
    }
    return n;
  }

  private void evict(int block) {
    long blockKey = keyOf(block);
    setKey(block, NO_KEY);
    keyed--;
    listener.evicted(block, blockKey);
    int following = get(block, NEXT_COPY);
    if (following == block) {
      oldestCopy.put(blockKey, 0);
      listener.removed(blockKey);
      return;
    }
    int preceding = get(block, PREVIOUS_COPY);
    set(preceding, NEXT_COPY, following);
    set(following, PREVIOUS_COPY, preceding);
    if (oldestCopy.get(blockKey) == block) {
      oldestCopy.put(blockKey, following);
    }
  }

  private void unlink(int block) {
    int before = get(block, PREVIOUS);
    int after = get(block, NEXT);
    set(before, NEXT, after);
    set(after, PREVIOUS, before);
    free--;
  }

  private void linkBetween(int block, int before, int after) {
    set(before, NEXT, block);
    set(block, PREVIOUS, before);
    set(block, NEXT, after);
    set(after, PREVIOUS, block);
  }
}
