package io.orrery.engine.scheduler;

import io.orrery.engine.cache.RadixCache;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.cache.RadixListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The order in which SGLang's scheduler offers waiting requests for admission ({@code
 * managers/schedule_policy.py}, {@code SchedulePolicy.calc_priority}, Apache-2.0).
 *
 * <p>{@code lpm} and {@code dfs-weight} look every request up in the cache, which is a use and may
 * split nodes. All sorts are stable.
 */
public final class QueueOrder {
  /** How the queue is ordered. */
  public enum Policy {
    /** First come, first served; by priority first where priorities are on. */
    FCFS,
    /**
     * Longest matched prefix first. A request of which the cache holds at most {@value
     * #IN_BATCH_CHECK} tokens and that shares at least {@value #IN_BATCH_DEFER} tokens with an
     * earlier such request goes last: it will find that one's pages. Above {@value #LPM_LIMIT}
     * waiting requests the queue is left as it is.
     */
    LPM,
    /** Along the tree, children with more waiting requests first, deepest requests first. */
    DFS_WEIGHT,
    /** Longest possible output first; by priority first where priorities are on. */
    LOF;

    /** SGLang's name, such as {@code dfs-weight}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The policy of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static Policy named(String label) {
      StringBuilder names = new StringBuilder();
      for (Policy policy : values()) {
        if (policy.label().equals(label)) {
          return policy;
        }
        names.append(names.isEmpty() ? "" : ", ").append(policy.label());
      }
      throw new IllegalArgumentException(
          "queue order: found " + label + ", expected one of " + names);
    }
  }

  /** Waiting requests above which {@code lpm} does not look and does not sort. */
  public static final int LPM_LIMIT = 128;

  /** Matched tokens up to which a request is compared with the others of the queue. */
  public static final int IN_BATCH_CHECK = 32;

  /** Tokens shared with an earlier request from which on a request is deferred. */
  public static final int IN_BATCH_DEFER = 32;

  private final Policy policy;
  private final int prioritySign;
  private final RadixCache cache;
  private final int queuePageTokens;

  private final List<QueuedRequest> sorted = new ArrayList<>();
  private int[] weight = new int[16];

  /** The last request of the queue that ends at a node, plus 1, by node; 0 for none. */
  private int[] newest = new int[16];

  /** The one before it at the same node, plus 1, by place in the queue; 0 for none. */
  private int[] older = new int[16];

  private int[] stack = new int[16];
  private long[] ranked = new long[16];

  /**
   * An order over requests for one worker.
   *
   * @param policy how to order
   * @param byPriority whether {@code fcfs} and {@code lof} order by priority first
   * @param lowValuesFirst whether a smaller priority is more urgent
   * @param cache the worker's cache
   * @param queuePageTokens tokens of a page of {@link QueuedRequest#queueKeys}; SGLang compares
   *     queued requests token by token
   */
  public QueueOrder(
      Policy policy,
      boolean byPriority,
      boolean lowValuesFirst,
      RadixCache cache,
      int queuePageTokens) {
    this.policy = policy;
    this.cache = cache;
    this.queuePageTokens = queuePageTokens;
    prioritySign = byPriority ? (lowValuesFirst ? 1 : -1) : 0;
  }

  /** Sorts {@code waiting} in place and fills in what the cache holds of each request. */
  public void sort(List<QueuedRequest> waiting) {
    for (QueuedRequest request : waiting) {
      request.matchedTokens = 0;
      request.lastNode = RadixCache.ROOT;
      request.deferred = false;
    }
    switch (policy) {
      case FCFS -> {
        if (prioritySign != 0) {
          waiting.sort(byPriority().thenComparingDouble(r -> r.queuedAt));
        }
      }
      case LOF -> waiting.sort(byPriority().thenComparingInt(r -> -r.maxOutputTokens));
      case LPM -> {
        if (waiting.size() <= LPM_LIMIT) {
          match(waiting);
          defer(waiting);
          waiting.sort(
              Comparator.comparing((QueuedRequest r) -> r.deferred)
                  .thenComparingInt(r -> r.deferred ? 0 : -r.matchedTokens));
        }
      }
      case DFS_WEIGHT -> {
        match(waiting);
        sortAlongTree(waiting);
      }
    }
  }

  private Comparator<QueuedRequest> byPriority() {
    return Comparator.comparingLong(r -> (long) prioritySign * r.priority);
  }

  private void match(List<QueuedRequest> waiting) {
    for (QueuedRequest request : waiting) {
      // The last token is always computed.
      int tokens = Math.min(request.tokens - 1, request.findableTokens);
      int pages = tokens / cache.pageTokens();
      request.matchedTokens = cache.match(request.keys, pages) * cache.pageTokens();
      request.lastNode = cache.lastNode();
    }
  }

  private void defer(List<QueuedRequest> waiting) {
    RadixCache queued = new RadixCache(queuePageTokens, RadixEviction.LRU, RadixListener.NONE);
    for (QueuedRequest request : waiting) {
      if (request.matchedTokens > IN_BATCH_CHECK) {
        continue;
      }
      int pages = request.tokens / queuePageTokens;
      if (queued.match(request.queueKeys, pages) * queuePageTokens >= IN_BATCH_DEFER) {
        request.deferred = true;
      } else {
        queued.insert(request.queueKeys, pages, 0, false);
      }
    }
  }

  /**
   * Walks the tree in reverse: a node's own requests from the last, then its children from the
   * lightest. The result, turned round, has the heaviest child first and a node's requests after
   * its children's.
   */
  private void sortAlongTree(List<QueuedRequest> waiting) {
    weigh(waiting);
    sorted.clear();
    int depth = 0;
    stack[depth++] = RadixCache.ROOT;
    while (depth > 0) {
      int node = stack[--depth];
      for (int i = newest[node]; i > 0; i = older[i - 1]) {
        sorted.add(waiting.get(i - 1));
      }
      depth = pushHeaviestFirst(node, depth);
    }
    for (int i = 0; i < sorted.size(); i++) {
      waiting.set(i, sorted.get(sorted.size() - 1 - i));
    }
    sorted.clear();
  }

  /** Counts the requests at and below every node, and lists those that end at it. */
  private void weigh(List<QueuedRequest> waiting) {
    if (weight.length < cache.nodeLimit()) {
      weight = new int[cache.nodeLimit()];
      newest = new int[cache.nodeLimit()];
    }
    Arrays.fill(weight, 0);
    Arrays.fill(newest, 0);
    if (older.length < waiting.size()) {
      older = new int[2 * waiting.size()];
    }
    for (int i = 0; i < waiting.size(); i++) {
      int end = waiting.get(i).lastNode;
      older[i] = newest[end];
      newest[end] = i + 1;
      for (int node = end; node != RadixCache.NONE; node = cache.parent(node)) {
        weight[node]++;
      }
    }
  }

  /**
   * Pushes the children that lead to a request; equal ones in the order in which they were added.
   */
  private int pushHeaviestFirst(int node, int depth) {
    int base = depth;
    int top = depth;
    for (int child = cache.firstChild(node);
        child != RadixCache.NONE;
        child = cache.nextSibling(child)) {
      if (weight[child] > 0) {
        if (top == stack.length) {
          stack = Arrays.copyOf(stack, top * 2);
        }
        stack[top++] = child;
      }
    }
    int count = top - base;
    if (ranked.length < 2 * count) {
      ranked = new long[2 * count];
    }
    for (int i = 0; i < count; i++) {
      ranked[i] = ((long) -weight[stack[base + i]] << 32) | i;
      ranked[count + i] = stack[base + i];
    }
    Arrays.sort(ranked, 0, count);
    for (int i = 0; i < count; i++) {
      stack[base + i] = (int) ranked[count + (int) ranked[i]];
    }
    return top;
  }
}
