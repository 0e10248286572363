package io.orrery.engine.cluster;

import io.orrery.engine.Draws;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.cache.WorkerIndex;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import java.util.Arrays;

/**
 * The router's belief of who holds what, fed by block events, some of which may be lost. It counts
 * its own work.
 */
final class RouterIndex implements PrefixBeliefs {
  private final WorkerIndex holders;
  private final double loss;
  private final Draws draws;
  private final long[] eventsOf;
  private final boolean timed;
  private long updates;
  private long lookUps;

  /** When the events of late became visible, if their work takes time. */
  private long[] visible = new long[64];

  private int visibleCount;

  /** The request that was matched last, and its depths. */
  private long matchedRequest = -1;

  private long matchedNanos = -1;
  private long matchedUpdates;
  private final int[] matched;

  RouterIndex(int workers, RouterSettings settings, Draws draws) {
    holders = new WorkerIndex(workers);
    loss = settings.indexLoss();
    this.draws = draws;
    eventsOf = new long[workers];
    timed = settings.updateNanos() > 0;
    matched = new int[workers];
  }

  /**
   * Takes in the events of the first entry of a worker's log; events of one worker come in their
   * order.
   */
  void apply(int worker, EventLog log) {
    long first = log.first();
    long last = log.last();
    if (loss > 0) {
      int step = Long.compare(last, first);
      for (long key = first; ; key += step) {
        if (draws.uniform(worker, eventsOf[worker]++) >= loss) {
          apply(worker, key, key, log.isStored(), log.firstStamp());
        }
        if (key == last) {
          return;
        }
      }
    }
    apply(worker, first, last, log.isStored(), log.firstStamp());
  }

  private void apply(int worker, long one, long other, boolean stored, long visibleNanos) {
    long first = Math.min(one, other);
    int count = (int) Math.abs(other - one) + 1;
    updates += count;
    for (int i = 0; timed && i < count; i++) {
      if (visibleCount == visible.length) {
        visible = Arrays.copyOf(visible, visibleCount * 2);
      }
      visible[visibleCount++] = visibleNanos;
    }
    if (stored) {
      holders.add(first, count, worker);
    } else {
      holders.remove(first, count, worker);
    }
  }

  /** The moments of the events since the last call, in order; there are {@link #visibleCount}. */
  long[] sortedVisible() {
    Arrays.sort(visible, 0, visibleCount);
    return visible;
  }

  int visibleCount() {
    return visibleCount;
  }

  void clearVisible() {
    visibleCount = 0;
  }

  /** A decision is about to be taken. */
  void lookedUp() {
    lookUps++;
  }

  /** Events taken in. */
  long updates() {
    return updates;
  }

  /** Decisions taken. */
  long lookUps() {
    return lookUps;
  }

  /** Distinct blocks that some worker is believed to hold. */
  long blocks() {
    return holders.keys();
  }

  @Override
  public void depths(RoutedRequest request, int[] depths) {
    match(request);
    System.arraycopy(matched, 0, depths, 0, matched.length);
  }

  /** The most leading blocks of a prompt that a candidate is believed to hold. */
  int mostBlocks(RoutedRequest request, Candidates candidates) {
    match(request);
    int most = 0;
    for (int i = 0; i < candidates.size(); i++) {
      most = Math.max(most, matched[candidates.get(i).id()]);
    }
    return most;
  }

  private void match(RoutedRequest request) {
    if (request.id() != matchedRequest
        || request.nowNanos() != matchedNanos
        || updates != matchedUpdates) {
      holders.depths(request.keys(), request.identifiedBlocks(), matched);
      matchedRequest = request.id();
      matchedNanos = request.nowNanos();
      matchedUpdates = updates;
    }
  }
}
