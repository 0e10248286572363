package io.orrery.engine.reference;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The KV blocks of one worker, block by block, from vLLM's published rules and with plain
 * collections. Written for clarity, not for speed.
 *
 * <p>A block is free when nobody refers to it; free blocks stand in one queue, taken from the
 * front. A block keeps its key while it is free and can be found again until it is taken for
 * something else. Several blocks may hold one key; the one that got it first is found.
 */
final class ReferenceCache {
  /** One physical block. */
  static final class Block {
    final int id;
    int references;
    Long key;

    Block(int id) {
      this.id = id;
    }

    @Override
    public String toString() {
      return Integer.toString(id);
    }
  }

  /** Hears everything that is done to the blocks, in order. */
  interface Listener {
    default void touched(List<Block> blocks) {}

    default void taken(List<Block> blocks) {}

    /** {@code block} lost {@code key}; {@code last} says that no other copy is left. */
    default void evicted(Block block, long key, boolean last) {}

    /** {@code block} got {@code key}; {@code first} says that there was no other copy. */
    default void assigned(Block block, long key, boolean first) {}

    /** A part of the block of {@code key} can be found from now on. */
    default void begun(long key) {}

    /** Blocks that nobody refers to any more went to the two ends of the queue. */
    default void released(List<Block> toTail, List<Block> toFront, int references) {}
  }

  private final boolean caching;
  private final boolean unkeyedToFront;
  private final Listener listener;
  private final int usable;
  private final Deque<Block> free = new ArrayDeque<>();
  private final Map<Long, LinkedHashMap<Integer, Block>> copies = new HashMap<>();
  private int keyed;

  /**
   * @param blocks physical blocks, with the null block 0 that is never used
   * @param unkeyedToFront whether released blocks without a key are reused first
   */
  ReferenceCache(int blocks, boolean caching, boolean unkeyedToFront, Listener listener) {
    this.caching = caching;
    this.unkeyedToFront = unkeyedToFront;
    this.listener = listener;
    usable = blocks - 1;
    for (int id = 1; id < blocks; id++) {
      free.addLast(new Block(id));
    }
  }

  boolean caching() {
    return caching;
  }

  int freeBlocks() {
    return free.size();
  }

  int usedBlocks() {
    return usable - free.size();
  }

  /** Ids of the free blocks, next to be taken first. */
  List<Integer> freeQueue() {
    return free.stream().map(block -> block.id).toList();
  }

  /** Blocks that hold a key. */
  int keyedBlocks() {
    return keyed;
  }

  boolean holds(long key) {
    return copies.containsKey(key);
  }

  /** The oldest copy of a key, or null. */
  Block oldestCopy(long key) {
    LinkedHashMap<Integer, Block> blocks = copies.get(key);
    return blocks == null ? null : blocks.values().iterator().next();
  }

  /** Refers to blocks that were found, so that they are free no more. */
  void touch(List<Block> blocks) {
    for (Block block : blocks) {
      if (block.references++ == 0) {
        free.remove(block);
      }
    }
    if (!blocks.isEmpty()) {
      listener.touched(blocks);
    }
  }

  /** Takes blocks from the front of the queue; what they held is forgotten now and not earlier. */
  List<Block> take(int count) {
    List<Block> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(free.removeFirst());
    }
    if (!taken.isEmpty()) {
      listener.taken(taken);
    }
    for (Block block : taken) {
      if (block.key != null) {
        long key = block.key;
        LinkedHashMap<Integer, Block> same = copies.get(key);
        same.remove(block.id);
        if (same.isEmpty()) {
          copies.remove(key);
        }
        block.key = null;
        keyed--;
        listener.evicted(block, key, same.isEmpty());
      }
      block.references = 1;
    }
    return taken;
  }

  /** Lets a block be found under a key from now on. */
  void assign(Block block, long key) {
    if (block.key != null) {
      throw new IllegalStateException("block " + block + " has key " + block.key);
    }
    LinkedHashMap<Integer, Block> same = copies.computeIfAbsent(key, k -> new LinkedHashMap<>());
    same.put(block.id, block);
    block.key = key;
    keyed++;
    listener.assigned(block, key, same.size() == 1);
  }

  /** Gives up one reference to each of a request's blocks, the last block first. */
  void release(List<Block> blocks) {
    List<Block> toTail = new ArrayList<>();
    List<Block> toFront = new ArrayList<>();
    for (int i = blocks.size() - 1; i >= 0; i--) {
      Block block = blocks.get(i);
      if (--block.references == 0) {
        boolean first = unkeyedToFront && caching && block.key == null;
        (first ? toFront : toTail).add(block);
      }
    }
    for (Block block : toTail) {
      free.addLast(block);
    }
    for (int i = toFront.size() - 1; i >= 0; i--) {
      free.addFirst(toFront.get(i));
    }
    if (!blocks.isEmpty()) {
      listener.released(toTail, toFront, blocks.size());
    }
  }
}
