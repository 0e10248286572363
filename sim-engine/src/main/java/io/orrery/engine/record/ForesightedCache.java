package io.orrery.engine.record;

import io.orrery.traces.columns.IntColumn;

/**
 * Finds what a cache that knows the future would find of a log's look-ups. Used for one cache after
 * the other.
 *
 * <p>Between two moments of one key — it came into being or was looked up — a cache either keeps it
 * or not, and gains its tokens if the later moment is a look-up. Going through the moments, it
 * takes in all that can be gained from each on, and where that is more than it holds, gives up what
 * is needed latest.
 */
final class ForesightedCache {
  private static final int NONE = -1;

  private final LookUpLog log;
  private final KeyPieces pieces;

  /** By piece, the number of its last moment so far, counted through all caches; 0 for none. */
  private final IntColumn lastMoments;

  /** Moments of the caches before this one. */
  private int earlier;

  // What can be gained: the moment of need, the tokens, and by the moment from which they must be
  // kept a chain of these.
  private final IntColumn needs = new IntColumn();
  private final IntColumn tokens = new IntColumn();
  private final IntColumn chains = new IntColumn();
  private final IntColumn firstFrom = new IntColumn();

  // What is kept, by the moment of need.
  private final IntColumn keptUntil = new IntColumn();
  private final MomentSet needed = new MomentSet();
  private long kept;

  ForesightedCache(LookUpLog log, KeyPieces pieces) {
    this.log = log;
    this.pieces = pieces;
    lastMoments = IntColumn.filled(pieces.count(), 0);
  }

  /**
   * The most tokens found in a cache of {@code capacity} tokens that sees the runs {@code
   * order[from]}, …, {@code order[to - 1]}, each a moment of its own.
   */
  long found(IntColumn order, int from, int to, long capacity) {
    firstFrom.addRepeated(NONE, to - from);
    keptUntil.addRepeated(0, to - from);
    for (int i = from; i < to; i++) {
      meet(order.get(i), i - from);
    }
    long found = keep(to - from, capacity);
    earlier += to - from;
    needs.clear();
    tokens.clear();
    chains.clear();
    firstFrom.clear();
    keptUntil.clear();
    return found;
  }

  /** Notes what can be gained up to this moment, and that it is the last of the run's keys. */
  private void meet(int run, int moment) {
    int end = pieces.end(run);
    if (log.isLookUp(run)) {
      // The last block may be needed in part.
      long surplus = log.length(run) * (long) log.blockSize() - log.tokens(run);
      int since = NONE;
      long keys = 0;
      for (int piece = pieces.begin(run); piece < end; piece++) {
        int last = lastMoments.get(piece) - earlier - 1;
        if (last != since) {
          gain(since, moment, keys * log.blockSize());
          since = last;
          keys = 0;
        }
        keys += pieces.length(piece);
      }
      gain(since, moment, keys * log.blockSize() - surplus);
    }
    for (int piece = pieces.begin(run); piece < end; piece++) {
      lastMoments.set(piece, earlier + moment + 1);
    }
  }

  /** From one moment to a later one so many tokens; nothing from before this cache's time. */
  private void gain(int from, int to, long count) {
    if (from >= 0) {
      chains.add(firstFrom.get(from));
      firstFrom.set(from, needs.size());
      needs.add(to);
      tokens.add((int) count);
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
      for (int i = firstFrom.get(moment); i != NONE; i = chains.get(i)) {
        take(needs.get(i), tokens.get(i), capacity);
      }
    }
    return found;
  }

  private void take(int until, int count, long capacity) {
    keptUntil.increase(until, count);
    needed.add(until);
    kept += count;
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
    lastMoments.release();
    needs.release();
    tokens.release();
    chains.release();
    firstFrom.release();
    keptUntil.release();
  }
}
