package io.orrery.engine.routing;

import io.orrery.engine.cache.ActivePrefixes;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.PagedBlockMap;
import io.orrery.engine.cache.WorkerIndex;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The router's own ledger of what it has placed, as NVIDIA Dynamo's router keeps it ({@code
 * lib/kv-router/src/sequences}).
 *
 * <ul>
 *   <li>A block that several requests in flight have in common counts once. Full prompt blocks
 *       whose content is unknown count as the request's own; a partial last block has no hash and
 *       counts for nothing, and neither do blocks of output.
 *   <li>Prefill tokens leave the ledger as a whole with the first output token, or when the request
 *       ends without one.
 *   <li>With an expiry, a request that was placed longer ago leaves the ledger as if it had ended,
 *       at the next sweep; sweeps are at multiples of {@link #SWEEP_NANOS}.
 * </ul>
 */
public final class ActiveLoad implements LoadLedger {
  /** How often old requests are looked for. */
  public static final long SWEEP_NANOS = 30_000_000_000L;

  private final long expiryNanos;
  private final int[] requests;
  private final long[] tokens;
  private final ActivePrefixes[] prefixes;

  /** On which workers the first block of a prompt is in use: only there is more of it. */
  private final WorkerIndex beginnings;

  private final long[] blocks;
  private final long[] allBlocks;
  private final long[] prefillTokens;

  private boolean detailed = true;

  /** With an expiry, by request: the worker's number plus 1; absent if it is not in the ledger. */
  private final PagedBlockMap workerOfRequest = new PagedBlockMap();

  private final PagedBlockMap prefillTokensOfRequest = new PagedBlockMap();

  /** With an expiry: what is needed to take requests out, the one placed first in front. */
  private final ArrayDeque<Placement> placements = new ArrayDeque<>();

  private record Placement(int request, long nanos, int inputTokens, int blocks, BlockKeys keys) {}

  /** A ledger without expiry. */
  public ActiveLoad(int workers) {
    this(workers, Long.MAX_VALUE);
  }

  /**
   * @param workers workers have ids below this number
   * @param expiryNanos how long after its placement a request is forgotten; {@link Long#MAX_VALUE}
   *     for never
   */
  public ActiveLoad(int workers, long expiryNanos) {
    this.expiryNanos = expiryNanos;
    requests = new int[workers];
    tokens = new long[workers];
    prefixes = new ActivePrefixes[workers];
    Arrays.setAll(prefixes, worker -> new ActivePrefixes());
    beginnings = new WorkerIndex(workers);
    blocks = new long[workers];
    allBlocks = new long[workers];
    prefillTokens = new long[workers];
  }

  /**
   * Keeps only requests and tokens, which costs next to nothing, until {@link #detail} is called.
   */
  public void withoutDetail() {
    detailed = false;
  }

  /** Keeps blocks and prefill tokens as well, from the start. */
  public void detail() {
    detailed = true;
  }

  @Override
  public int requests(int worker) {
    return requests[worker];
  }

  @Override
  public long tokens(int worker) {
    return tokens[worker];
  }

  @Override
  public long prefillTokens(int worker) {
    return prefillTokens[worker];
  }

  @Override
  public long blocks(int worker) {
    return blocks[worker];
  }

  @Override
  public long allBlocks(int worker) {
    return allBlocks[worker];
  }

  @Override
  public long blocksWith(RoutedRequest request, int worker) {
    int identified = request.identifiedBlocks();
    int shared = 0;
    if (identified > 0 && beginnings.holds(request.keys().keyAt(0), worker)) {
      shared = prefixes[worker].depth(request.keys(), identified);
    }
    return blocks[worker] + request.fullBlocks() - shared;
  }

  /**
   * {@code request} went to {@code worker}.
   *
   * @param uncachedTokens prompt tokens that the worker will have to compute, as far as the router
   *     knows
   */
  public void placed(RoutedRequest request, int worker, int uncachedTokens) {
    requests[worker]++;
    tokens[worker] += request.inputTokens();
    if (detailed) {
      addPrefix(request.keys(), worker);
      blocks[worker] += request.fullBlocks() - request.identifiedBlocks();
      allBlocks[worker] += request.fullBlocks();
      prefillTokens[worker] += uncachedTokens;
      prefillTokensOfRequest.put(request.id(), uncachedTokens);
    }
    if (expiryNanos != Long.MAX_VALUE) {
      workerOfRequest.put(request.id(), worker + 1);
      placements.add(
          new Placement(
              request.id(),
              request.nowNanos(),
              request.inputTokens(),
              request.fullBlocks(),
              request.keys().copy()));
    }
  }

  private void addPrefix(BlockKeys keys, int worker) {
    if (keys.named() > 0) {
      ActivePrefixes inUse = prefixes[worker];
      blocks[worker] -= inUse.blocks();
      inUse.add(keys, keys.named());
      blocks[worker] += inUse.blocks();
      beginnings.add(keys.keyAt(0), worker);
    }
  }

  private void removePrefix(BlockKeys keys, int worker) {
    if (keys.named() > 0) {
      ActivePrefixes inUse = prefixes[worker];
      blocks[worker] -= inUse.blocks();
      inUse.remove(keys, keys.named());
      blocks[worker] += inUse.blocks();
      if (!inUse.isBeginning(keys.keyAt(0))) {
        beginnings.remove(keys.keyAt(0), worker);
      }
    }
  }

  /** {@code request} got its first output token on {@code worker}. */
  public void firstToken(RoutedRequest request, int worker) {
    prefillDone(request.id(), worker);
  }

  private void prefillDone(int request, int worker) {
    prefillTokens[worker] -= prefillTokensOfRequest.put(request, 0);
  }

  /** {@code request}, which was placed on {@code worker}, ended. */
  public void ended(RoutedRequest request, int worker) {
    remove(request.id(), worker, request.inputTokens(), request.fullBlocks(), request.keys());
  }

  private void remove(int request, int worker, int inputTokens, int fullBlocks, BlockKeys keys) {
    if (expiryNanos != Long.MAX_VALUE && workerOfRequest.put(request, 0) == 0) {
      return; // it was forgotten before
    }
    requests[worker]--;
    tokens[worker] -= inputTokens;
    if (detailed) {
      prefillDone(request, worker);
      removePrefix(keys, worker);
      blocks[worker] -= fullBlocks - keys.named();
      allBlocks[worker] -= fullBlocks;
    }
  }

  /** Forgets what had been in the ledger for too long at the last sweep before {@code nowNanos}. */
  public void sweep(long nowNanos) {
    if (expiryNanos == Long.MAX_VALUE) {
      return;
    }
    long latest = nowNanos / SWEEP_NANOS * SWEEP_NANOS - expiryNanos;
    while (!placements.isEmpty() && placements.peekFirst().nanos() <= latest) {
      Placement old = placements.removeFirst();
      int worker = workerOfRequest.get(old.request()) - 1;
      if (worker >= 0) {
        remove(old.request(), worker, old.inputTokens(), old.blocks(), old.keys());
      }
    }
  }
}
