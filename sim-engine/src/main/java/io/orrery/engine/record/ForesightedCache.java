package io.orrery.engine.record;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * Finds what a cache that knows the future would find of a log's look-ups. Used for one cache after
 * the other.
 *
 * <p>Between two moments of one key — it came into being or was looked up — a cache either keeps it
 * or not, and gains its tokens if the later moment is a look-up. Going through the moments, it
 * takes in all that can be gained from each on, and where that is more than it holds, gives up what
 * is needed latest. What can be gained from a moment on is found by going through the moments
 * backwards before.
 */
final class ForesightedCache {
  private final LookUpLog log;
  private final KeyPieces pieces;

  /**
   * By piece, what its next moment is: the doubled {@link #number} of a look-up's, and one if it is
   * needed in part, or 0.
   */
  private final IntColumn next;

  /** Moments of the caches before this one. */
  private int earlier;

  /** What can be gained, from the last moment on to the first: moment of need above the tokens. */
  private final LongColumn gains = new LongColumn();

  /** Number of gains after each moment, from the last one on. */
  private final IntColumn gainsAfter = new IntColumn();

  // What is kept, by the moment of need.
  private final IntColumn keptUntil = new IntColumn();
  private final MomentSet needed = new MomentSet();
  private long kept;

  // Of the pieces of one run: their next moments and numbers of keys.
  private int[] nextOf = new int[64];
  private int[] lengths = new int[64];

  ForesightedCache(LookUpLog log, KeyPieces pieces) {
    this.log = log;
    this.pieces = pieces;
    next = IntColumn.filled(pieces.count(), 0);
  }

  /**
   * The most tokens found in a cache of {@code capacity} tokens that sees the runs {@code
   * order[from]}, …, {@code order[to - 1]}, each a moment of its own.
   */
  long found(IntColumn order, int from, int to, long capacity) {
    for (int i = to - 1; i >= from; i--) {
      int run = order.get(i);
      findGains(run, order, from);
      setNext(run, i - from);
      gainsAfter.add(gains.size());
    }
    keptUntil.addRepeated(0, to - from);
    needed.ensure(to - from);
    long found = keep(to - from, capacity);
    earlier += to - from;
    gains.clear();
    gainsAfter.clear();
    keptUntil.clear();
    return found;
  }

  /** What can be gained by keeping the keys of a run until they are looked up next. */
  private void findGains(int run, IntColumn order, int from) {
    int begin = pieces.begin(run);
    int count = pieces.end(run) - begin;
    if (count > nextOf.length) {
      nextOf = new int[2 * count];
      lengths = new int[2 * count];
    }
    next.copy(begin, begin + count, nextOf);
    if (!areNeeded(count)) {
      return;
    }
    pieces.copyLengths(begin, begin + count, lengths);
    long keys = 0;
    for (int i = 0; i < count; i++) {
      keys += lengths[i];
      if (i + 1 == count || nextOf[i + 1] != nextOf[i]) {
        gain(nextOf[i], keys * log.blockSize(), order, from);
        keys = 0;
      }
    }
  }

  /** Whether any of the pieces of a run is; moments of earlier caches do not count. */
  private boolean areNeeded(int count) {
    int latest = 0;
    for (int i = 0; i < count; i++) {
      latest = Math.max(latest, nextOf[i] >> 1);
    }
    return latest > earlier;
  }

  private void gain(int until, long tokens, IntColumn order, int from) {
    int moment = (until >> 1) - earlier - 1;
    if (moment >= 0) {
      int missing = (until & 1) == 0 ? 0 : missing(order.get(from + moment));
      gains.add((long) moment << Integer.SIZE | tokens - missing);
    }
  }

  /** Tokens of a looked-up run's last block that are not needed. */
  private int missing(int run) {
    return (int) (log.length(run) * (long) log.blockSize() - log.tokens(run));
  }

  private void setNext(int run, int moment) {
    int begin = pieces.begin(run);
    int end = pieces.end(run);
    if (!log.isLookUp(run)) {
      next.fill(begin, end, 0);
      return;
    }
    int number = (earlier + moment + 1) << 1;
    next.fill(begin, end, number);
    if (missing(run) > 0) {
      next.set(end - 1, number | 1);
    }
  }

  /** The most tokens gained with never more than {@code capacity} of them kept. */
  private long keep(int moments, long capacity) {
    long found = 0;
    for (int moment = 0; moment < moments; moment++) {
      int done = keptUntil.get(moment);
      if (done > 0) {
        found += done;
        kept -= done;
        needed.remove(moment);
      }
      int last = moments - 1 - moment;
      for (int i = last == 0 ? 0 : gainsAfter.get(last - 1); i < gainsAfter.get(last); i++) {
        long gain = gains.get(i);
        take((int) (gain >>> Integer.SIZE), (int) gain, capacity);
      }
    }
    return found;
  }

  private void take(int until, int tokens, long capacity) {
    keptUntil.increase(until, tokens);
    needed.add(until);
    kept += tokens;
    while (kept > capacity) {
      int latest = needed.last();
      int dropped = (int) Math.min(keptUntil.get(latest), kept - capacity);
      kept -= dropped;
      keptUntil.increase(latest, -dropped);
      if (keptUntil.get(latest) == 0) {
        needed.remove(latest);
      }
    }
  }

  void release() {
    next.release();
    gains.release();
    gainsAfter.release();
    keptUntil.release();
  }
}
