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

  private final boolean unkeyedToFront;
  private final int blocks;
  private final boolean unlimited;

  /** Of several copies of one key the oldest is the one that can be found. */
  private final BlockTable table;

  private final FreeQueue queue;
  private int made;
  private final PoolListener listener;
  private final KeyRun stored = new KeyRun();
  private final KeyRun removed = new KeyRun();
  private final int[] one = new int[1];
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
    table = new BlockTable(unlimited ? FIRST_BLOCKS : blocks);
    made = unlimited ? 1 : blocks;
    for (int block = 0; block < made; block++) {
      table.setKey(block, NO_KEY);
    }
    queue = new FreeQueue(table, made - 1);
    free = blocks - 1;
  }

  /** Makes one more block; it is not in the queue. */
  private int make() {
    if (made == table.room()) {
      table.grow();
    }
    int block = made++;
    table.setKey(block, NO_KEY);
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
    return table.get(block, BlockTable.REFERENCES);
  }

  /** The key that {@code block} holds, or {@link #NO_KEY}. */
  public long keyOf(int block) {
    return table.key(block);
  }

  /**
   * The oldest inserted block that holds {@code blockKey}, or 0. Changes nothing: a look-up is not
   * a use.
   */
  public int lookUp(long blockKey) {
    return table.find(blockKey);
  }

  /**
   * Looks up consecutive keys until one is absent.
   *
   * @return how many leading keys of {@code firstKey, firstKey + 1, …} are held; their blocks are
   *     written to {@code target} from {@code offset}
   */
  public int lookUpRun(long firstKey, int length, int[] target, int offset) {
    for (int i = 0; i < length; i++) {
      int block = table.find(firstKey + i);
      if (block == 0) {
        return i;
      }
      target[offset + i] = block;
    }
    return length;
  }

  /** Adds a reference to a block found by look-up; a free block leaves the queue. */
  public void touch(int block) {
    if (table.add(block, BlockTable.REFERENCES, 1) == 1) {
      queue.remove(block);
      free--;
    }
  }

  /**
   * Takes the block at the front of the free queue, evicting its key. The queue must not be empty.
   */
  public int take() {
    take(one, 0, 1);
    return one[0];
  }

  /**
   * Takes blocks from the front of the free queue, evicting their keys. There must be as many.
   *
   * @param target receives the blocks from index {@code offset} on
   */
  public void take(int[] target, int offset, int count) {
    int taken = queue.take(target, offset, count);
    if (taken < count && !unlimited) {
      throw new IllegalStateException("no free block");
    }
    while (taken < count) {
      target[offset + taken++] = make();
    }
    free -= count;
    for (int i = offset; i < offset + count; i++) {
      int block = target[i];
      if (keyOf(block) != NO_KEY) {
        evict(block);
      }
      table.set(block, BlockTable.REFERENCES, 1);
    }
    tellRemoved();
  }

  /** Gives {@code block} its key: it can be found from now on. */
  public void assign(int block, long blockKey) {
    insert(block, blockKey);
    tellStored();
  }

  /**
   * Gives blocks their keys: they can be found from now on.
   *
   * @param held blocks by position
   * @param keys keys by position
   * @param from first position
   * @param to position after the last
   */
  public void assign(int[] held, BlockKeys keys, int from, int to) {
    int position = from;
    while (position < to) {
      long key = keys.keyAt(position);
      int end = position + keys.consecutive(position, to - position);
      while (position < end) {
        insert(held[position++], key++);
      }
    }
    tellStored();
  }

  private void insert(int block, long blockKey) {
    table.setKey(block, blockKey);
    keyed++;
    int oldest = table.addIfAbsent(block, blockKey);
    if (oldest == 0) {
      table.set(block, BlockTable.NEXT_COPY, block);
      table.set(block, BlockTable.PREVIOUS_COPY, block);
      if (!stored.extend(blockKey)) {
        tellStored();
        stored.extend(blockKey);
      }
    } else {
      int newest = table.get(oldest, BlockTable.PREVIOUS_COPY);
      table.set(newest, BlockTable.NEXT_COPY, block);
      table.set(block, BlockTable.PREVIOUS_COPY, newest);
      table.set(block, BlockTable.NEXT_COPY, oldest);
      table.set(oldest, BlockTable.PREVIOUS_COPY, block);
    }
    listener.assigned(block, blockKey);
  }

  private void tellStored() {
    if (!stored.isEmpty()) {
      listener.stored(stored.first(), stored.last());
      stored.clear();
    }
  }

  private void tellRemoved() {
    if (!removed.isEmpty()) {
      listener.removed(removed.first(), removed.last());
      removed.clear();
    }
  }

  /**
   * Drops one reference of each of the first {@code count} blocks of {@code held}, last block
   * first.
   */
  public void release(int[] held, int count) {
    int frontCount = 0;
    for (int i = count - 1; i >= 0; i--) {
      int block = held[i];
      if (table.add(block, BlockTable.REFERENCES, -1) == 0) {
        if (unkeyedToFront && keyOf(block) == NO_KEY) {
          if (frontCount == front.length) {
            front = Arrays.copyOf(front, frontCount * 2);
          }
          front[frontCount++] = block;
        } else if (!unlimited) {
          queue.addLast(block);
        } // else it would stand behind all blocks that are still to be made: nobody comes to it
        free++;
      }
    }
    while (frontCount > 0) {
      queue.addFirst(front[--frontCount]);
    }
  }

  /** Writes the free queue, front first, and returns its length. */
  public int copyFreeQueue(int[] target) {
    return queue.copy(target);
  }

  private void evict(int block) {
    long blockKey = keyOf(block);
    int following = table.get(block, BlockTable.NEXT_COPY);
    if (following == block) {
      table.remove(block, blockKey);
    } else {
      // Only the oldest copy can be found.
      if (table.find(blockKey) == block) {
        table.replace(block, blockKey, following);
      }
      int preceding = table.get(block, BlockTable.PREVIOUS_COPY);
      table.set(preceding, BlockTable.NEXT_COPY, following);
      table.set(following, BlockTable.PREVIOUS_COPY, preceding);
    }
    table.setKey(block, NO_KEY);
    keyed--;
    listener.evicted(block, blockKey);
    if (following == block && !removed.extend(blockKey)) {
      tellRemoved();
      removed.extend(blockKey);
    }
  }
}
