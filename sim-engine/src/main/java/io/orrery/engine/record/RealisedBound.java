package io.orrery.engine.record;

import io.orrery.engine.cache.PagedBlockMap;
import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

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
    IntColumn order = log.order();
    LastLookUps last = new LastLookUps(log, order);
    Sweep pool = new Sweep(log, last);
    for (int moment = 0; moment < order.size(); moment++) {
      pool.meet(order.get(moment), moment);
    }
    long pooled = pool.found(Arrays.stream(capacityTokens).sum());
    long workers =
        capacityTokens.length == 1 ? pooled : foundByWorkers(log, order, last, capacityTokens);
    order.release();
    return new RealisedBound(pooled, workers);
  }

  /** One cache after the other, since each needs room. */
  private static long foundByWorkers(
      LookUpLog log, IntColumn order, LastLookUps last, long[] capacityTokens) {
    LongColumn workers = new LongColumn();
    for (int moment = 0; moment < order.size(); moment++) {
      workers.add(log.worker(order.get(moment)));
    }
    IntColumn moments = StableOrder.of(workers);
    long found = 0;
    int at = 0;
    for (int worker = 0; worker < capacityTokens.length; worker++) {
      Sweep cache = new Sweep(log, last);
      while (at < moments.size() && workers.get(moments.get(at)) == worker) {
        int moment = moments.get(at++);
        cache.meet(order.get(moment), moment);
      }
      found += cache.found(capacityTokens[worker]);
    }
    workers.release();
    moments.release();
    return found;
  }

  /**
   * When a block of a page of keys is looked up for the last time: what nobody asks for again need
   * not be remembered.
   */
  private static final class LastLookUps {
    private static final int PAGE_SHIFT = 8;

    private final LookUpLog log;

    /** By page, the moment and one. */
    private final PagedBlockMap moments = new PagedBlockMap();

    LastLookUps(LookUpLog log, IntColumn order) {
      this.log = log;
      for (int moment = 0; moment < order.size(); moment++) {
        int run = order.get(moment);
        if (log.isLookUp(run)) {
          for (long page = firstPage(run); page <= lastPage(run); page++) {
            moments.put(page, moment + 1);
          }
        }
      }
    }

    private long firstPage(int run) {
      return log.first(run) >>> PAGE_SHIFT;
    }

    private long lastPage(int run) {
      return (log.first(run) + log.length(run) - 1) >>> PAGE_SHIFT;
    }

    /** Whether a block near those of a run is looked up after {@code moment}. */
    boolean comeAfter(int run, int moment) {
      for (long page = firstPage(run); page <= lastPage(run); page++) {
        if (moments.get(page) > moment + 1) {
          return true;
        }
      }
      return false;
    }
  }

  /** One cache over the runs of a log. */
  private static final class Sweep {
    private final LookUpLog log;
    private final LastLookUps last;

    /** Runs of keys with the last moment of each: by first key, the run's end and the moment. */
    private final TreeMap<Long, Known> known = new TreeMap<>();

    // What can be gained: from a moment to a later one, so many tokens.
    private final LongColumn starts = new LongColumn();
    private final IntColumn ends = new IntColumn();
    private final LongColumn tokens = new LongColumn();

    private record Known(long end, int moment) {}

    Sweep(LookUpLog log, LastLookUps last) {
      this.log = log;
      this.last = last;
    }

    /** A run of the log, which must be met in order. */
    void meet(int run, int moment) {
      boolean asked = last.comeAfter(run, moment);
      if (!asked && !log.isLookUp(run)) {
        return;
      }
      long from = log.first(run);
      long to = from + log.length(run);
      Map.Entry<Long, Known> nearest = known.lowerEntry(to);
      boolean someKnown = nearest != null && nearest.getValue().end() > from;
      if (someKnown && (nearest.getKey() != from || nearest.getValue().end() != to)) {
        meetParts(run, moment, from, to);
      } else if (someKnown && log.isLookUp(run)) {
        gain(nearest.getValue().moment(), moment, log.tokens(run));
      }
      if (asked) {
        known.put(from, new Known(to, moment));
      } else if (someKnown) {
        known.remove(from);
      }
    }

    /** Forgets, after what it gains, every part of a run that is known from other moments. */
    private void meetParts(int run, int moment, long from, long to) {
      cut(from);
      cut(to);
      Map<Long, Known> inside = known.subMap(from, to);
      if (log.isLookUp(run)) {
        // The last block may be needed in part.
        long missing = log.length(run) * (long) log.blockSize() - log.tokens(run);
        for (Map.Entry<Long, Known> part : inside.entrySet()) {
          long length = (part.getValue().end() - part.getKey()) * log.blockSize();
          boolean atEnd = part.getValue().end() == to;
          gain(part.getValue().moment(), moment, atEnd ? length - missing : length);
        }
      }
      inside.clear();
    }

    /** Makes a run of known keys end, and another begin, before {@code key}. */
    private void cut(long key) {
      Map.Entry<Long, Known> at = known.lowerEntry(key);
      if (at != null && at.getValue().end() > key) {
        known.put(at.getKey(), new Known(key, at.getValue().moment()));
        known.put(key, at.getValue());
      }
    }

    private void gain(int from, int to, long count) {
      starts.add(from);
      ends.add(to);
      tokens.add(count);
    }

    /** The most tokens gained with never more than {@code capacity} of them kept. */
    long found(long capacity) {
      IntColumn byStart = StableOrder.of(starts);
      TreeMap<Integer, Long> keptByEnd = new TreeMap<>();
      long kept = 0;
      long found = 0;
      for (int next = 0; next < byStart.size(); next++) {
        int i = byStart.get(next);
        while (!keptByEnd.isEmpty() && keptByEnd.firstKey() <= starts.get(i)) {
          long done = keptByEnd.pollFirstEntry().getValue();
          found += done;
          kept -= done;
        }
        keptByEnd.merge(ends.get(i), tokens.get(i), Long::sum);
        kept += tokens.get(i);
        while (kept > capacity) {
          Map.Entry<Integer, Long> latest = keptByEnd.pollLastEntry();
          long dropped = Math.min(latest.getValue(), kept - capacity);
          kept -= dropped;
          if (dropped < latest.getValue()) {
            keptByEnd.put(latest.getKey(), latest.getValue() - dropped);
          }
        }
      }
      byStart.release();
      starts.release();
      ends.release();
      tokens.release();
      return found + kept;
    }
  }
}
