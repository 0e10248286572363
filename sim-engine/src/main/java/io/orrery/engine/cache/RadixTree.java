package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * The shape of a radix tree over page keys: nodes whose edges are runs of consecutive keys,
 * children in the order in which they were added. Knows nothing of time, locks or eviction.
 *
 * <p>Nodes are ints; node 0 is the root, which has no edge. A removed node's number is used again.
 * Nothing here allocates but the growth of its arrays.
 */
final class RadixTree {
  static final int ROOT = 0;
  static final int NONE = -1;

  private int[] parent = new int[16];
  private int[] start = new int[16];
  private int[] length = new int[16];
  private int[] firstRun = new int[16];
  private int[] firstChild = new int[16];
  private int[] lastChild = new int[16];
  private int[] next = new int[16];
  private int[] previous = new int[16];
  private int usedNodes = 1;
  private int freeNode = NONE;
  private int nodes;

  // Runs of an edge: singly linked cells.
  private long[] runFirst = new long[16];
  private int[] runLength = new int[16];
  private int[] runNext = new int[16];
  private int usedRuns;
  private int freeRun = NONE;

  /** Open addressing by (parent, first key); a slot holds a node or 0. */
  private int[] slots = new int[32];

  RadixTree() {
    parent[ROOT] = NONE;
    firstRun[ROOT] = NONE;
    firstChild[ROOT] = NONE;
    lastChild[ROOT] = NONE;
    next[ROOT] = NONE;
    previous[ROOT] = NONE;
  }

  /** Nodes without the root. */
  int nodes() {
    return nodes;
  }

  /** Above every node number in use. */
  int capacity() {
    return parent.length;
  }

  int parent(int node) {
    return parent[node];
  }

  /** Pages above {@code node}'s edge. */
  int start(int node) {
    return start[node];
  }

  /** Pages of {@code node}'s edge. */
  int length(int node) {
    return length[node];
  }

  /** The first key of {@code node}'s edge. */
  long firstKey(int node) {
    return runFirst[firstRun[node]];
  }

  int firstChild(int node) {
    return firstChild[node];
  }

  int nextSibling(int node) {
    return next[node];
  }

  /** The first run of {@code node}'s edge, or {@link #NONE}. */
  int firstRun(int node) {
    return firstRun[node];
  }

  int nextRun(int run) {
    return runNext[run];
  }

  long runFirst(int run) {
    return runFirst[run];
  }

  int runLength(int run) {
    return runLength[run];
  }

  /** The child of {@code node} whose edge starts with {@code key}, or {@link #NONE}. */
  int child(int node, long key) {
    int mask = slots.length - 1;
    int slot = home(node, key);
    while (slots[slot] != 0) {
      int child = slots[slot];
      if (parent[child] == node && firstKey(child) == key) {
        return child;
      }
      slot = (slot + 1) & mask;
    }
    return NONE;
  }

  /** How many leading pages of {@code node}'s edge stand in {@code keys} at its position. */
  int matching(int node, BlockKeys keys, int pages) {
    int limit = Math.min(length[node], pages - start[node]);
    int matched = 0;
    int run = firstRun[node];
    while (matched < limit) {
      int wanted = Math.min(runLength[run], limit - matched);
      int found = keys.matching(start[node] + matched, runFirst[run], wanted);
      matched += found;
      if (found < wanted) {
        break;
      }
      run = runNext[run];
    }
    return matched;
  }

  /**
   * Adds a leaf under {@code under} with the pages of {@code keys} from there up to {@code end}.
   */
  int append(int under, BlockKeys keys, int end) {
    int node = newNode();
    parent[node] = under;
    start[node] = start[under] + length[under];
    length[node] = end - start[node];
    firstChild[node] = NONE;
    lastChild[node] = NONE;
    int last = NONE;
    for (int position = start[node]; position < end; ) {
      int pages = keys.consecutive(position, end - position);
      int run = newRun(keys.keyAt(position), pages, NONE);
      if (last == NONE) {
        firstRun[node] = run;
      } else {
        runNext[last] = run;
      }
      last = run;
      position += pages;
    }
    previous[node] = lastChild[under];
    next[node] = NONE;
    if (lastChild[under] == NONE) {
      firstChild[under] = node;
    } else {
      next[lastChild[under]] = node;
    }
    lastChild[under] = node;
    nodes++;
    enter(node);
    return node;
  }

  /**
   * Splits {@code node}'s edge after {@code pages} pages, more than 0 and fewer than it has.
   *
   * @return the new upper node, which takes {@code node}'s place; {@code node} keeps the rest, its
   *     number and its children
   */
  int split(int node, int pages) {
    int slot = slotOf(node);
    int upper = newNode();
    parent[upper] = parent[node];
    start[upper] = start[node];
    length[upper] = pages;
    firstRun[upper] = firstRun[node];
    firstChild[upper] = node;
    lastChild[upper] = node;
    replaceInSiblings(node, upper);
    slots[slot] = upper;

    int run = firstRun[node];
    int left = pages;
    while (left > runLength[run]) {
      left -= runLength[run];
      run = runNext[run];
    }
    int rest = runNext[run];
    if (left < runLength[run]) {
      rest = newRun(runFirst[run] + left, runLength[run] - left, rest);
      runLength[run] = left;
    }
    runNext[run] = NONE;

    parent[node] = upper;
    start[node] += pages;
    length[node] -= pages;
    firstRun[node] = rest;
    next[node] = NONE;
    previous[node] = NONE;
    nodes++;
    enter(node);
    return upper;
  }

  /** Removes a node without children. */
  void removeLeaf(int node) {
    leave(slotOf(node));
    int above = parent[node];
    if (previous[node] == NONE) {
      firstChild[above] = next[node];
    } else {
      next[previous[node]] = next[node];
    }
    if (next[node] == NONE) {
      lastChild[above] = previous[node];
    } else {
      previous[next[node]] = previous[node];
    }
    int last = firstRun[node];
    while (runNext[last] != NONE) {
      last = runNext[last];
    }
    runNext[last] = freeRun;
    freeRun = firstRun[node];
    next[node] = freeNode;
    freeNode = node;
    nodes--;
  }

  private void replaceInSiblings(int node, int by) {
    int above = parent[node];
    next[by] = next[node];
    previous[by] = previous[node];
    if (previous[node] == NONE) {
      firstChild[above] = by;
    } else {
      next[previous[node]] = by;
    }
    if (next[node] == NONE) {
      lastChild[above] = by;
    } else {
      previous[next[node]] = by;
    }
  }

  private int home(int node, long key) {
    long h = (key * 0x9E3779B97F4A7C15L ^ node) * 0xBF58476D1CE4E5B9L;
    return (int) (h >>> 32 ^ h >>> 47) & (slots.length - 1);
  }

  private int slotOf(int node) {
    int mask = slots.length - 1;
    int slot = home(parent[node], firstKey(node));
    while (slots[slot] != node) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void enter(int node) {
    if (nodes * 2 > slots.length) {
      int[] old = slots;
      slots = new int[old.length * 2];
      for (int held : old) {
        if (held != 0) {
          place(held);
        }
      }
    }
    place(node);
  }

  private void place(int node) {
    int mask = slots.length - 1;
    int slot = home(parent[node], firstKey(node));
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = node;
  }

  /** Empties a slot and moves later entries of its chain up. */
  private void leave(int slot) {
    int mask = slots.length - 1;
    int gap = slot;
    for (int at = (gap + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
      int ideal = home(parent[slots[at]], firstKey(slots[at]));
      if (((at - ideal) & mask) >= ((at - gap) & mask)) {
        slots[gap] = slots[at];
        gap = at;
      }
    }
    slots[gap] = 0;
  }

  private int newNode() {
    if (freeNode != NONE) {
      int node = freeNode;
      freeNode = next[node];
      return node;
    }
    if (usedNodes == parent.length) {
      int size = usedNodes * 2;
      parent = Arrays.copyOf(parent, size);
      start = Arrays.copyOf(start, size);
      length = Arrays.copyOf(length, size);
      firstRun = Arrays.copyOf(firstRun, size);
      firstChild = Arrays.copyOf(firstChild, size);
      lastChild = Arrays.copyOf(lastChild, size);
      next = Arrays.copyOf(next, size);
      previous = Arrays.copyOf(previous, size);
    }
    return usedNodes++;
  }

  private int newRun(long first, int pages, int following) {
    int run;
    if (freeRun != NONE) {
      run = freeRun;
      freeRun = runNext[run];
    } else {
      if (usedRuns == runFirst.length) {
        int size = usedRuns * 2;
        runFirst = Arrays.copyOf(runFirst, size);
        runLength = Arrays.copyOf(runLength, size);
        runNext = Arrays.copyOf(runNext, size);
      }
      run = usedRuns++;
    }
    runFirst[run] = first;
    runLength[run] = pages;
    runNext[run] = following;
    return run;
  }
}
