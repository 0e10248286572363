package io.orrery.engine.routing;

import io.orrery.engine.cache.ActivePrefixes;
import io.orrery.engine.cache.PagedBlockMap;
import java.util.Arrays;

/**
 * The router's own ledger of what it has placed, as NVIDIA Dynamo's router keeps it ({@code
 * lib/kv-router/src/sequences}): the distinct prompt blocks of the requests in flight on each
 * worker, and the prompt tokens that they still have to compute.
 *
 * <ul>
 *   <li>A block that several requests in flight have in common counts once. Full prompt blocks
 *       whose content is unknown count as the request's own; a partial last block has no hash and
 *       counts for nothing, and neither do blocks of output.
 *   <li>Prefill tokens leave the ledger as a whole with the first output token, or when the request
 *       ends without one.
 * </ul>
 */
public final class ActiveLoad {
  private final ActivePrefixes[] prefixes;
  private final long[] ownBlocks;
  private final long[] prefillTokens;
  private final PagedBlockMap prefillTokensOfRequest = new PagedBlockMap();

  /**
   * @param workers workers have ids below this number
   */
  public ActiveLoad(int workers) {
    prefixes = new ActivePrefixes[workers];
    Arrays.setAll(prefixes, worker -> new ActivePrefixes());
    ownBlocks = new long[workers];
    prefillTokens = new long[workers];
  }

  /** Prompt tokens on {@code worker} that are still to be computed. */
  public long prefillTokens(int worker) {
    return prefillTokens[worker];
  }

  /** Distinct prompt blocks of the requests in flight on {@code worker}. */
  public long blocks(int worker) {
    return prefixes[worker].blocks() + ownBlocks[worker];
  }

  /** What {@link #blocks} would be with {@code request} on {@code worker} as well. */
  public long blocksWith(RoutedRequest request, int worker) {
    int shared = prefixes[worker].depth(request.keys(), request.identifiedBlocks());
    return blocks(worker) + fullBlocks(request) - shared;
  }

  /**
   * {@code request} went to {@code worker}.
   *
   * @param uncachedTokens prompt tokens that the worker will have to compute, as far as the router
   *     knows
   */
  public void placed(RoutedRequest request, int worker, int uncachedTokens) {
    prefixes[worker].add(request.keys(), request.identifiedBlocks());
    ownBlocks[worker] += fullBlocks(request) - request.identifiedBlocks();
    prefillTokens[worker] += uncachedTokens;
    prefillTokensOfRequest.put(request.id(), uncachedTokens);
  }

  /** {@code request} got its first output token on {@code worker}. */
  public void firstToken(RoutedRequest request, int worker) {
    prefillTokens[worker] -= prefillTokensOfRequest.put(request.id(), 0);
  }

  /** {@code request}, which was placed on {@code worker}, ended. */
  public void ended(RoutedRequest request, int worker) {
    firstToken(request, worker);
    prefixes[worker].remove(request.keys(), request.identifiedBlocks());
    ownBlocks[worker] -= fullBlocks(request) - request.identifiedBlocks();
  }

  private static int fullBlocks(RoutedRequest request) {
    return request.inputTokens() / request.blockSize();
  }
}
