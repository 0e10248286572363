package io.orrery.engine.record;

import io.orrery.traces.columns.IntColumn;
import java.util.Arrays;

/**
 * The most tokens that this run's own look-ups, in the order in which they were made, can find in a
 * cache that knows the future (Belady: the block that is needed latest goes, and one that is not
 * needed soon enough never comes in). A block can be found from the moment at which it came into
 * being on some worker.
 *
 * <p>Between two moments of one block — it came into being or was looked up — a cache either keeps
 * it or not, and gains if the later moment is a look-up. At no time more than the capacity may be
 * kept; the most that can be gained under that rule is what keeping whatever is needed soonest
 * gains. A real cache keeps a subset of that kind, since a block that it finds has been there since
 * an earlier moment: no cache does better. Prompts are chains, and a block's predecessors are
 * needed whenever it is, so that what is kept are prefixes. Blocks that nobody else can find,
 * duplicates, and what running requests hold cost nothing here, which only raises the bound.
 *
 * <p>Pooled, the cache is as large as all workers' together and every worker finds everything in
 * it. By worker, each has its own and finds what came into being there. Of the gap between the
 * pooled bound and what happened, the part down to the sum of the workers' bounds is the loss of
 * placement, the rest that of eviction.
 *
 * @param pooledTokens found in one cache of all workers' capacity
 * @param workerTokens found in the workers' own caches, their sum
 */
public record RealisedBound(long pooledTokens, long workerTokens) {
  /**
   * The bounds of a run.
   *
   * @param log its look-ups; must be complete
   */
  public static RealisedBound of(LookUpLog log) {
    long[] capacityTokens = log.capacityTokens();
    KeyPieces pieces = new KeyPieces(log);
    ForesightedCache cache = new ForesightedCache(log, pieces);
    IntColumn order = log.order();
    long pooled = cache.found(order, 0, order.size(), Arrays.stream(capacityTokens).sum());
    long workers = pooled;
    if (capacityTokens.length > 1) {
      LookUpLog.ByWorker own = log.byWorker(order);
      workers = 0;
      for (int worker = 0; worker < capacityTokens.length; worker++) {
        workers +=
            cache.found(own.runs(), own.begin(worker), own.end(worker), capacityTokens[worker]);
      }
      own.runs().release();
    }
    order.release();
    cache.release();
    pieces.release();
    return new RealisedBound(pooled, workers);
  }
}
