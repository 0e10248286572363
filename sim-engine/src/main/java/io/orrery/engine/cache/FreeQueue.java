package io.orrery.engine.cache;

/**
 * The free blocks of a pool in the order in which they will be taken.
 *
 * <p>A ring of block numbers: the next ones to be taken stand side by side, so that the memory of
 * one block need not come before that of the next is asked for. A block knows its place; one that
 * leaves from the middle forgets it, and the number that it leaves behind is passed over, or
 * cleared away when the ring is full.
 */
final class FreeQueue {
  private static final int NOWHERE = Integer.MIN_VALUE;

  /** Places start over before they could overflow. */
  private static final int LAST_PLACE = 1 << 30;

  private final BlockTable table;

  /** Block numbers by place; those from {@link #head} to {@link #tail} count. */
  private int[] ring;

  private int head;
  private int tail;

  /**
   * A queue of the blocks 1, 2, 3, …
   *
   * @param blocks how many
   */
  FreeQueue(BlockTable table, int blocks) {
    this.table = table;
    ring = new int[ringFor(blocks)];
    for (int block = 1; block <= blocks; block++) {
      addLast(block);
    }
  }

  /** Between two and four times as long as what stands in it, so that it is seldom cleared. */
  private static int ringFor(int blocks) {
    return Integer.highestOneBit(Math.max(4, blocks)) << 2;
  }

  /** Puts a block behind all others. */
  void addLast(int block) {
    makeRoom();
    ring[tail & (ring.length - 1)] = block;
    table.set(block, BlockTable.PLACE, tail++);
  }

  /** Puts a block in front of all others. */
  void addFirst(int block) {
    makeRoom();
    ring[--head & (ring.length - 1)] = block;
    table.set(block, BlockTable.PLACE, head);
  }

  /** Takes a block out of the queue, if it stands there. */
  void remove(int block) {
    table.set(block, BlockTable.PLACE, NOWHERE);
  }

  /**
   * Takes blocks out in front.
   *
   * @param target receives them from index {@code offset} on
   * @return how many there were, at most {@code count}
   */
  int take(int[] target, int offset, int count) {
    int taken = 0;
    while (taken < count && head < tail) {
      int block = ring[head & (ring.length - 1)];
      if (table.get(block, BlockTable.PLACE) == head++) {
        target[offset + taken++] = block;
        remove(block);
      }
    }
    return taken;
  }

  /** Writes all blocks, front first, and returns how many there are. */
  int copy(int[] target) {
    int count = 0;
    for (int place = head; place < tail; place++) {
      int block = ring[place & (ring.length - 1)];
      if (table.get(block, BlockTable.PLACE) == place) {
        target[count++] = block;
      }
    }
    return count;
  }

  private void makeRoom() {
    if (tail - head == ring.length || tail == LAST_PLACE || head == -LAST_PLACE) {
      int[] all = new int[tail - head];
      int count = copy(all);
      ring = new int[ringFor(count)];
      System.arraycopy(all, 0, ring, 0, count);
      for (int place = 0; place < count; place++) {
        table.set(ring[place], BlockTable.PLACE, place);
      }
      head = 0;
      tail = count;
    }
  }
}
