package io.orrery.engine.cluster;

import java.util.Arrays;

/**
 * The workers of a run, brought up to date together before anything looks at them, and those among
 * them that have a step to start.
 *
 * <p>Something looks with every request, and most workers have done nothing by then that could be
 * seen: each says how long that will stay so, and until then it is passed over. What touches a
 * worker in between ({@link #touched}) takes that promise back.
 */
final class Workers {
  private final Worker[] all;

  /** By worker: before this moment, bringing it up to date would change nothing. */
  private final long[] quietBefore;

  /** All are up to date as of this moment; -1 if somebody has been touched since. */
  private long upToDate = -1;

  private Worker[] toStart = new Worker[16];
  private int startCount;

  Workers(int count) {
    all = new Worker[count];
    quietBefore = new long[count];
  }

  /** Puts in the worker with that id. */
  void set(int id, Worker worker) {
    all[id] = worker;
  }

  /** All, by id. */
  Worker[] all() {
    return all;
  }

  Worker get(int id) {
    return all[id];
  }

  /** Has all carry out what they have told ahead up to {@code t}. */
  void bringUpToDate(long t) {
    if (t == upToDate) {
      return;
    }
    for (int id = 0; id < all.length; id++) {
      if (t >= quietBefore[id]) {
        all[id].advance(t);
        quietBefore[id] = all[id].quietBefore();
      }
    }
    upToDate = t;
  }

  /** Has all but one carry out what they have scheduled by {@code t}. */
  void catchUpOthers(int than, long t) {
    for (int id = 0; id < all.length; id++) {
      if (id != than) {
        // Of workers that start a step at one instant, those with lower ids have done so.
        all[id].catchUp(t, id < than);
      }
    }
  }

  /**
   * Something has happened on a worker at this instant, after which it may have a step to start.
   */
  void touched(Worker worker) {
    upToDate = -1;
    if (worker.isStarting()) {
      quietBefore[worker.id()] = 0;
      noteStart(worker);
    } else {
      quietBefore[worker.id()] = worker.quietBefore();
    }
  }

  private void noteStart(Worker worker) {
    int at = startCount;
    while (at > 0 && toStart[at - 1].id() >= worker.id()) {
      at--;
    }
    if (at < startCount && toStart[at].id() == worker.id()) {
      return;
    }
    if (startCount == toStart.length) {
      toStart = Arrays.copyOf(toStart, startCount * 2);
    }
    System.arraycopy(toStart, at, toStart, at + 1, startCount - at);
    toStart[at] = worker;
    startCount++;
  }

  /** Starts the steps that are to start at {@code t}: workers by increasing id. */
  void start(long t) {
    for (int i = 0; i < startCount; i++) {
      Worker worker = toStart[i];
      worker.start(t);
      quietBefore[worker.id()] = worker.quietBefore();
    }
    startCount = 0;
    upToDate = -1;
  }
}
