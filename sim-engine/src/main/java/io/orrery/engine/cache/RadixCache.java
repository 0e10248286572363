package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * The device KV cache of one worker as SGLang keeps it: a radix tree of whole pages. It follows
 * {@code mem_cache/radix_cache.py} (Apache-2.0) operation by operation.
 *
 * <ul>
 *   <li>A match that ends inside a node splits the node, also when it only looks. The new upper
 *       node gets a fresh time of access and of creation, and the hits, priority and locks of the
 *       node that was split.
 *   <li>Matching and inserting refresh the time of access along the path, one time a call. Only
 *       inserting raises hits (one a node on the path) and priority (the largest wins).
 *   <li>What is inserted twice is held once: the tree's copy wins.
 *   <li>A lock holds the whole path to the root. Pages count once, however many locks hold them.
 *   <li>Eviction takes whole leaves, unlocked and without children, in the strategy's order, until
 *       enough is free: it may take more than asked. A parent that becomes such a leaf joins at
 *       once.
 * </ul>
 *
 * <p>Time is a counter of its own. Keys stand for a page and its whole prefix, or for a page's
 * content alone; both give the same tree. A node is an int that stays valid while the node is
 * locked; after an eviction an unlocked node's number may stand for another.
 */
public final class RadixCache {
  /** The root: what a match of nothing returns. Always there, never locked. */
  public static final int ROOT = RadixTree.ROOT;

  /** No node. */
  public static final int NONE = RadixTree.NONE;

  private final int pageTokens;
  private final RadixEviction strategy;
  private final RadixListener listener;
  private final RadixTree tree = new RadixTree();
  private final LeafHeap leaves = new LeafHeap(this::evictedBefore);

  private long[] lastAccess = new long[tree.capacity()];
  private long[] created = new long[tree.capacity()];
  private int[] hits = new int[tree.capacity()];
  private int[] priority = new int[tree.capacity()];
  private int[] locks = new int[tree.capacity()];
  private long clock;
  private int lastNode = ROOT;
  private long evictablePages;
  private long protectedPages;

  /**
   * An empty cache.
   *
   * @param pageTokens tokens a page holds, at least 1
   * @param strategy which leaf is evicted first
   * @param listener hears of pages stored and removed
   */
  public RadixCache(int pageTokens, RadixEviction strategy, RadixListener listener) {
    if (pageTokens < 1) {
      throw new IllegalArgumentException(
          "a page holds at least 1 token, got " + pageTokens + " tokens");
    }
    this.pageTokens = pageTokens;
    this.strategy = strategy;
    this.listener = listener;
  }

  /** Tokens a page holds. */
  public int pageTokens() {
    return pageTokens;
  }

  /** Tokens of nodes that no lock holds. */
  public long evictableTokens() {
    return evictablePages * pageTokens;
  }

  /** Tokens of nodes that a lock holds, each counted once. */
  public long protectedTokens() {
    return protectedPages * pageTokens;
  }

  /** Tokens held in all. */
  public long tokens() {
    return (evictablePages + protectedPages) * pageTokens;
  }

  /** Nodes without the root. */
  public int nodes() {
    return tree.nodes();
  }

  /** Leaves that can be evicted now. */
  public int evictableLeaves() {
    return leaves.size();
  }

  /** Locks that hold {@code node}. */
  public int locks(int node) {
    return locks[node];
  }

  /** Insertions that passed {@code node} or made it. */
  public int hits(int node) {
    return hits[node];
  }

  /** The largest priority among the insertions that passed {@code node} or made it. */
  public int priority(int node) {
    return priority[node];
  }

  /** The node above {@code node}, or {@link #NONE} for the root. */
  public int parent(int node) {
    return tree.parent(node);
  }

  /** The child of {@code node} that was added first, or {@link #NONE}. */
  public int firstChild(int node) {
    return tree.firstChild(node);
  }

  /** The child of the same parent that was added after {@code node}, or {@link #NONE}. */
  public int nextSibling(int node) {
    return tree.nextSibling(node);
  }

  /** Above every node number in use. */
  public int nodeLimit() {
    return tree.capacity();
  }

  /** The node where the last match or insertion ended. */
  public int lastNode() {
    return lastNode;
  }

  /**
   * Matches the longest prefix held; a use, and it may split a node. {@link #lastNode} is then the
   * node where the match ends.
   *
   * @param pages leading pages of {@code keys} to look for, at most
   * @return pages matched
   */
  public int match(BlockKeys keys, int pages) {
    lastNode = ROOT;
    if (pages <= 0) {
      return 0;
    }
    return descend(keys, pages, ++clock);
  }

  /**
   * Inserts the leading {@code pages} of {@code keys}. {@link #lastNode} is then the node that
   * holds the last of them.
   *
   * @param value the priority that nodes on the path get at least
   * @param chunked whether this is a chunk of a prefill that goes on: hits are not raised
   * @return pages that were held before: the caller's copies of them are duplicates, free to reuse
   */
  public int insert(BlockKeys keys, int pages, int value, boolean chunked) {
    lastNode = ROOT;
    long now = ++clock;
    if (pages <= 0) {
      return 0;
    }
    int held = descend(keys, pages, now);
    for (int node = lastNode; node != ROOT; node = tree.parent(node)) {
      priority[node] = Math.max(priority[node], value);
      hits[node] += chunked ? 0 : 1;
      reorder(node);
    }
    if (held < pages) {
      append(keys, pages, value, chunked);
    }
    return held;
  }

  /** Locks {@code node} and every node above it. */
  public void lock(int node) {
    for (int at = node; at != ROOT; at = tree.parent(at)) {
      if (locks[at]++ == 0) {
        evictablePages -= tree.length(at);
        protectedPages += tree.length(at);
        setEvictable(at);
      }
    }
  }

  /**
   * Drops one lock from {@code node} and every node above it.
   *
   * @throws IllegalStateException if {@code node} is not locked
   */
  public void unlock(int node) {
    if (node != ROOT && locks[node] == 0) {
      throw new IllegalStateException("node " + node + " is not locked");
    }
    for (int at = node; at != ROOT; at = tree.parent(at)) {
      if (--locks[at] == 0) {
        evictablePages += tree.length(at);
        protectedPages -= tree.length(at);
        setEvictable(at);
      }
    }
  }

  /**
   * Evicts leaves until at least {@code tokens} are free or no leaf is left.
   *
   * @return tokens evicted, a whole number of leaves
   */
  public long evict(long tokens) {
    long evicted = 0;
    while (evicted < tokens && leaves.size() > 0) {
      int leaf = leaves.poll();
      int pages = tree.length(leaf);
      evicted += (long) pages * pageTokens;
      evictablePages -= pages;
      listener.evicted(tree.start(leaf), pages, tree.firstKey(leaf));
      for (int run = tree.firstRun(leaf); run != NONE; run = tree.nextRun(run)) {
        listener.removed(tree.runFirst(run), tree.runLength(run));
      }
      int above = tree.parent(leaf);
      tree.removeLeaf(leaf);
      setEvictable(above);
    }
    return evicted;
  }

  /** Follows the longest match from the root, touching and splitting; sets the last node. */
  private int descend(BlockKeys keys, int pages, long now) {
    int node = ROOT;
    int matched = 0;
    while (matched < pages) {
      int child = tree.child(node, keys.keyAt(matched));
      if (child == NONE) {
        break;
      }
      lastAccess[child] = now;
      reorder(child);
      int length = tree.length(child);
      int found = tree.matching(child, keys, pages);
      matched += found;
      if (found < length) {
        node = split(child, found);
        break;
      }
      node = child;
    }
    lastNode = node;
    return matched;
  }

  private int split(int node, int pages) {
    int upper = tree.split(node, pages);
    register(upper);
    hits[upper] = hits[node];
    priority[upper] = priority[node];
    locks[upper] = locks[node];
    return upper;
  }

  private void append(BlockKeys keys, int pages, int value, boolean chunked) {
    int above = lastNode;
    int leaf = tree.append(above, keys, pages);
    register(leaf);
    hits[leaf] = chunked ? 0 : 1;
    priority[leaf] = value;
    locks[leaf] = 0;
    evictablePages += tree.length(leaf);
    setEvictable(above);
    setEvictable(leaf);
    for (int run = tree.firstRun(leaf); run != NONE; run = tree.nextRun(run)) {
      listener.stored(tree.runFirst(run), tree.runLength(run));
    }
    lastNode = leaf;
  }

  private void register(int node) {
    if (tree.capacity() > locks.length) {
      lastAccess = Arrays.copyOf(lastAccess, tree.capacity());
      created = Arrays.copyOf(created, tree.capacity());
      hits = Arrays.copyOf(hits, tree.capacity());
      priority = Arrays.copyOf(priority, tree.capacity());
      locks = Arrays.copyOf(locks, tree.capacity());
    }
    lastAccess[node] = ++clock;
    created[node] = ++clock;
  }

  private void setEvictable(int node) {
    boolean evictable = node != ROOT && locks[node] == 0 && tree.firstChild(node) == NONE;
    if (evictable != leaves.contains(node)) {
      if (evictable) {
        leaves.add(node);
      } else {
        leaves.remove(node);
      }
    }
  }

  private void reorder(int node) {
    if (leaves.contains(node)) {
      leaves.moved(node);
    }
  }

  private boolean evictedBefore(int a, int b) {
    long rankA = strategy.rank(lastAccess[a], created[a], hits[a], priority[a]);
    long rankB = strategy.rank(lastAccess[b], created[b], hits[b], priority[b]);
    if (rankA != rankB) {
      return rankA < rankB;
    }
    return lastAccess[a] != lastAccess[b] ? lastAccess[a] < lastAccess[b] : created[a] < created[b];
  }
}
