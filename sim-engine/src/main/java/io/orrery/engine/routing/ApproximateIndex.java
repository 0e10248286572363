package io.orrery.engine.routing;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.PagedBlockMap;
import io.orrery.engine.cache.WorkerIndex;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;

/**
 * A router's guess of who holds what, from its own decisions alone: a worker is believed to hold
 * the prompt blocks of the requests that were placed on it, until they are too old or too many. A
 * block that is placed again is as new as its last placement.
 *
 * <ul>
 *   <li>By time ({@code indexer/pruning.rs} of NVIDIA Dynamo's router, 18bcdc90): blocks expire a
 *       TTL after their placement; when there are more than a limit over all workers, those that
 *       expire first go, of one placement the deepest first, until four fifths of the limit are
 *       left.
 *   <li>Least recently used (Dynamo's {@code --router-approximate-cache-policy lru}, llm-d's
 *       approximate prefix index): each worker has room for so many blocks; those placed longest
 *       ago go first, of one placement the deepest first.
 * </ul>
 */
final class ApproximateIndex implements PrefixBeliefs {
  /** What is left of the limit after pruning. */
  static final double PRUNE_TARGET = 0.8;

  private final WorkerIndex holders;

  /** By worker and key: the number of the placement that named the block last. */
  private final PagedBlockMap[] lastPlacement;

  /** Placements, the oldest first: one queue for all workers by time, or one for each. */
  private final ArrayDeque<Placement>[] placements;

  private final long[] blocks;
  private final long ttlNanos;
  private final boolean leastRecentlyUsed;
  private final long[] capacity;
  private int placementCount;

  /** Blocks that one request brought; from {@code end} on they are gone already. */
  private static final class Placement {
    final int number;
    final int worker;
    final long nanos;
    final BlockKeys keys;
    int end;

    Placement(int number, int worker, long nanos, BlockKeys keys) {
      this.number = number;
      this.worker = worker;
      this.nanos = nanos;
      this.keys = keys;
      this.end = keys.named();
    }
  }

  /** Blocks that expire, and are pruned when all workers together have more than {@code most}. */
  static ApproximateIndex byTime(int workers, long ttlNanos, long most) {
    return new ApproximateIndex(workers, ttlNanos, false, most);
  }

  /** Room for {@code most} blocks of each worker. */
  static ApproximateIndex leastRecentlyUsed(int workers, long most) {
    return new ApproximateIndex(workers, Long.MAX_VALUE, true, most);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private ApproximateIndex(int workers, long ttlNanos, boolean leastRecentlyUsed, long most) {
    this.ttlNanos = ttlNanos;
    this.leastRecentlyUsed = leastRecentlyUsed;
    holders = new WorkerIndex(workers);
    lastPlacement = new PagedBlockMap[workers];
    Arrays.setAll(lastPlacement, worker -> new PagedBlockMap());
    int groups = leastRecentlyUsed ? workers : 1;
    placements = new ArrayDeque[groups];
    Arrays.setAll(placements, group -> new ArrayDeque<>());
    blocks = new long[groups];
    capacity = new long[groups];
    Arrays.fill(capacity, most);
  }

  /** Gives {@code worker} room for {@code most} blocks, from the next placement on. */
  void capacity(int worker, long most) {
    capacity[worker] = most;
  }

  /** Blocks believed to be on any worker, once for each. */
  long blocks() {
    return Arrays.stream(blocks).sum();
  }

  /** Blocks believed to be on {@code worker}; only with a room for each. */
  long blocks(int worker) {
    return blocks[worker];
  }

  /** {@code request} went to {@code worker}. */
  void placed(RoutedRequest request, int worker) {
    int count = request.identifiedBlocks();
    if (count == 0) {
      return;
    }
    expire(request.nowNanos());
    int group = leastRecentlyUsed ? worker : 0;
    Placement placement =
        new Placement(++placementCount, worker, request.nowNanos(), request.keys().copy());
    for (int i = 0; i < count; i++) {
      long key = placement.keys.keyAt(i);
      lastPlacement[worker].put(key, placement.number);
      if (holders.add(key, worker)) {
        blocks[group]++;
      }
    }
    placements[group].add(placement);
    prune(group);
  }

  private void expire(long nowNanos) {
    if (ttlNanos == Long.MAX_VALUE) {
      return;
    }
    ArrayDeque<Placement> oldest = placements[0];
    while (!oldest.isEmpty() && oldest.peekFirst().nanos <= nowNanos - ttlNanos) {
      forget(oldest.removeFirst(), 0, 0);
    }
  }

  private void prune(int group) {
    long most = capacity[group];
    if (blocks[group] <= most) {
      return;
    }
    long target = leastRecentlyUsed ? most : (long) (most * PRUNE_TARGET);
    Iterator<Placement> oldest = placements[group].iterator();
    while (blocks[group] > target && oldest.hasNext()) {
      Placement placement = oldest.next();
      forget(placement, group, target);
      if (placement.end == 0) {
        oldest.remove();
      }
    }
  }

  /** Takes out blocks of a placement, the deepest first, until {@code target} are left in all. */
  private void forget(Placement placement, int group, long target) {
    PagedBlockMap last = lastPlacement[placement.worker];
    while (placement.end > 0 && blocks[group] > target) {
      long key = placement.keys.keyAt(--placement.end);
      if (last.get(key) == placement.number) {
        last.put(key, 0);
        holders.remove(key, placement.worker);
        blocks[group]--;
      }
    }
    if (blocks[group] == 0) {
      placement.end = 0;
    }
  }

  @Override
  public void depths(RoutedRequest request, int[] depths) {
    expire(request.nowNanos());
    holders.depths(request.keys(), request.identifiedBlocks(), depths);
  }
}
