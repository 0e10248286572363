package io.orrery.engine.cluster;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.PoolListener;
import io.orrery.engine.record.LookUpLog;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.WorkerStats;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the named keys of one worker's pool. The truth is told at once; the router hears
 * of it when the step whose scheduling caused it has ended, plus the time that events travel.
 * Events of one worker keep their order.
 */
final class BlockEvents implements PoolListener {
  private final int worker;
  private final BlockFacts facts;
  private final WorkerStats stats;
  private final long delayNanos;
  private final LookUpLog lookUps;
  private final EventLog unfinished = new EventLog();
  private final EventLog travelling = new EventLog();
  private final @Nullable Recorder recorder;
  private @Nullable RouterIndex router;
  private long stepsScheduled;
  private long lastStamp;
  private long stepsEnded;
  private boolean updating;

  /** When what happens now happens. */
  private long now;

  /**
   * @param recorder hears evictions; null if nobody wants to
   */
  BlockEvents(
      int worker,
      BlockFacts facts,
      WorkerStats stats,
      LookUpLog lookUps,
      long delayNanos,
      @Nullable Recorder recorder) {
    this.recorder = recorder;
    this.worker = worker;
    this.facts = facts;
    this.stats = stats;
    this.lookUps = lookUps;
    this.delayNanos = delayNanos;
  }

  void feed(RouterIndex index) {
    router = index;
  }

  /** A step is about to be scheduled at {@code t}. */
  void stepScheduling(long t) {
    now = t;
    stepsScheduled++;
  }

  /** The step that was to be scheduled is empty. */
  void stepEmpty() {
    stepsScheduled--;
  }

  /** Number of the step scheduled last. */
  long stepsScheduled() {
    return stepsScheduled;
  }

  /** Step number {@code step} is about to be scheduled at {@code t}. */
  void stepScheduling(long step, long t) {
    now = t;
    stepsScheduled = step;
  }

  /** Step number {@code step} was the last one to be scheduled. */
  void stepScheduled(long step) {
    stepsScheduled = step;
  }

  /**
   * The steps up to number {@code last} have ended.
   *
   * @param ends the end of step {@code base + i} at index {@code i}
   */
  void stepsEnded(long last, long base, long[] ends) {
    stepsEnded = last;
    while (unfinished.isDue(last)) {
      publishFirst(ends[(int) (unfinished.firstStamp() - base)]);
    }
  }

  /** The earliest scheduled step has ended at {@code end}; its output is taken in next. */
  void stepEnded(long end) {
    stepsEnded++;
    publish(end);
  }

  /** Taking in the output of the step that ended at {@code end} begins. */
  void updateBegins(long end) {
    now = end;
    updating = true;
  }

  /** Taking in the output of the step that ended at {@code end} is over. */
  void updateEnds(long end) {
    updating = false;
    publish(end);
  }

  private void publish(long end) {
    while (unfinished.isDue(stepsEnded)) {
      publishFirst(end);
    }
  }

  private void publishFirst(long end) {
    boolean stored = unfinished.isStored();
    long first = unfinished.first();
    long last = unfinished.last();
    unfinished.drop();
    if (stored) {
      facts.finished(first, last);
    }
    if (router != null) {
      travelling.add(first, last, stored, end + delayNanos);
    }
  }

  /**
   * When the first event that waits for the end of its step is told: the end of that step, if it is
   * one up to {@code base + last}.
   *
   * @param ends the end of step {@code base + i} at index {@code i}
   */
  long nextPublication(long base, long[] ends, int last) {
    long step = unfinished.isEmpty() ? Long.MAX_VALUE : unfinished.firstStamp() - base;
    return step > last ? Long.MAX_VALUE : ends[(int) step];
  }

  /** When the router hears of something next. */
  long nextDelivery() {
    return travelling.isEmpty() ? Long.MAX_VALUE : travelling.firstStamp();
  }

  /** Lets the router hear everything that has reached it by {@code t}. */
  void deliver(long t) {
    RouterIndex index = router;
    if (index != null) {
      while (travelling.isDue(t)) {
        index.apply(worker, travelling);
        travelling.drop();
      }
    }
  }

  @Override
  public void stored(long first, long last) {
    if (BlockKeys.isPrivate(first)) {
      return;
    }
    facts.stored(first, last, worker);
    stats.keep(now, count(first, last));
    lookUps.stored(worker, now, first, last);
    unfinished.add(first, last, true, stamp());
  }

  private static int count(long first, long last) {
    return (int) Math.abs(last - first) + 1;
  }

  @Override
  public void begun(long key) {
    if (!BlockKeys.isPrivate(key)) {
      lookUps.stored(worker, now, key);
    }
  }

  @Override
  public void assigned(int block, long key) {
    // A block that an output completes has been computed, be it another copy or not.
    if (updating && !BlockKeys.isPrivate(key)) {
      facts.finished(key, key);
    }
  }

  @Override
  public void removed(long first, long last) {
    if (BlockKeys.isPrivate(first)) {
      return;
    }
    facts.removed(first, last, worker);
    int count = count(first, last);
    stats.evicted(count);
    for (int i = 0; recorder != null && i < count; i++) {
      recorder.evicted(worker, now);
    }
    stats.keep(now, -count);
    unfinished.add(first, last, false, stamp());
  }

  /** The step that an event of now waits for: no earlier one than the event before it. */
  private long stamp() {
    lastStamp = Math.max(lastStamp, stepsScheduled);
    return lastStamp;
  }
}
