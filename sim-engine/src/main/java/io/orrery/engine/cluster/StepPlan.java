package io.orrery.engine.cluster;

import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.engine.scheduler.Scheduler;

/**
 * The decode-only steps that a worker has told ahead: when each ends, and how far they have been
 * carried out.
 *
 * <p>Step k ends at {@code ends[k]}. Synchronous: step 1 begins at {@code ends[0]}, the boundary
 * where the plan is made, and step k + 1 is scheduled where step k ends. Asynchronous: step 0 is in
 * flight when the plan is made and ends at {@code ends[0]}; step 1 is scheduled at once, and step k
 * + 2 where step k ends. The output of the last planned step is not the plan's: an event comes for
 * it, and it may end requests.
 */
final class StepPlan {
  /** Longest plan, in steps. */
  private static final int LONGEST = 1024;

  private final Scheduler scheduler;
  private final DecodeSegment segment;
  private final StepTimer timer;
  private final BlockEvents blockEvents;
  private final WorkerStats stats;
  private final int first;
  private final long[] ends = new long[LONGEST + 1];
  private int last;

  /**
   * The next step to be scheduled that takes or completes a block; beyond the last if none does.
   */
  private int nextBusy;

  private long madeAt;
  private long stamp;

  StepPlan(
      Scheduler scheduler,
      boolean asynchronous,
      StepTimer timer,
      BlockEvents blockEvents,
      WorkerStats stats) {
    this.scheduler = scheduler;
    this.segment = scheduler.segment();
    this.timer = timer;
    this.blockEvents = blockEvents;
    this.stats = stats;
    first = asynchronous ? 0 : 1;
  }

  /** Whether a plan is under way. */
  boolean active() {
    return segment.active();
  }

  /**
   * Makes a plan at the boundary {@code t}, if anything can be told ahead.
   *
   * @param inFlight with asynchronous scheduling, the step that is about to run
   */
  boolean make(Step inFlight, long t) {
    int steps = segment.begin(inFlight.batch, LONGEST);
    if (steps < 2) {
      return false;
    }
    ends[0] = first == 0 ? t + inFlight.nanos : t;
    timer.timeDecodes(segment, steps, ends);
    madeAt = t;
    last = first == 0 ? steps - 1 : steps;
    stamp = blockEvents.stepsScheduled();
    nextBusy = segment.nextBusyStep(lastScheduled());
    scheduleThrough(1);
    return true;
  }

  /** Output tokens that the plan has given each running request by {@code t}, beyond its count. */
  int outputsBy(long t) {
    if (!segment.active()) {
      return 0;
    }
    carryOut(t);
    return segment.updated();
  }

  /** When the last planned step ends. */
  long end() {
    return ends[last];
  }

  /** Carries the plan out up to {@code t}; steps that end at {@code t} have ended. */
  void carryOut(long t) {
    int before = lastEnded();
    int ended = lastEndedBy(t, before);
    scheduleThrough(boundary(ended) < t ? scheduledBehind(ended) : scheduledBehind(ended) - 1);
    segment.takeOutputs(ended - before);
    blockEvents.stepsEnded(stamp + ended, stamp, ends);
  }

  /**
   * The moment before which carrying out would only count steps: then the next step is scheduled
   * that takes or completes a block, or an event of a block is due.
   */
  long quietBefore() {
    long scheduling =
        nextBusy > lastScheduled() ? Long.MAX_VALUE : boundary(nextBusy - 2 + first) + 1;
    return Math.min(scheduling, blockEvents.nextPublication(stamp, ends, last - 1));
  }

  /** Carries the plan out up to {@code t}, the step that is scheduled at {@code t} included. */
  void carryOutWithStarts(long t) {
    carryOut(t);
    scheduleThrough(scheduledBehind(lastEnded()));
  }

  /** The last step that is scheduled when step {@code ended} has ended. */
  private int scheduledBehind(int ended) {
    return ended + 2 - first;
  }

  /** The last step whose output has been taken in; one before the first step if none has. */
  private int lastEnded() {
    return segment.updated() + first - 1;
  }

  /** The last step that has ended by {@code t}, but for the one that an event comes for. */
  private int lastEndedBy(long t, int from) {
    int low = from;
    int high = last - 1;
    // Galloping first: most looks come soon after the one before.
    int stride = 1;
    while (low + stride <= high && ends[low + stride] <= t) {
      low += stride;
      stride <<= 1;
    }
    high = Math.min(high, low + stride - 1);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (ends[middle] <= t) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The last step that the plan schedules. */
  private int lastScheduled() {
    return scheduledBehind(last - 1);
  }

  private void scheduleThrough(int step) {
    while (nextBusy <= step) {
      long scheduledAt = boundary(nextBusy - 2 + first);
      blockEvents.stepScheduling(stamp + nextBusy, scheduledAt);
      segment.scheduleThrough(nextBusy);
      stats.use(scheduledAt, scheduler.usedBlocks());
      nextBusy = segment.nextBusyStep(lastScheduled());
    }
    segment.skipThrough(step);
    blockEvents.stepScheduled(stamp + segment.scheduled());
  }

  /** When step {@code ended} ended; for the step before the first, when the plan was made. */
  private long boundary(int ended) {
    return ended < 0 ? madeAt : ends[ended];
  }

  /** When the step in progress began. */
  long lastBoundary() {
    return boundary(lastEnded());
  }

  /** Hears the tokens of planned steps. */
  interface TokenRecorder {
    /**
     * The running requests each got one token at {@code ends[from]}, {@code ends[from + 1]}, …,
     * {@code ends[to]}.
     *
     * @param began when the first of these steps began
     */
    void tokens(long[] ends, int from, int to, long began);
  }

  /**
   * Ends the plan, carried out so far. What has been scheduled and not ended becomes ordinary
   * steps.
   *
   * @param running receives the step in progress
   * @param next receives the one behind it
   * @return how many of the two there are
   */
  int finish(Step running, Step next, TokenRecorder recorder) {
    int ended = lastEnded();
    if (ended >= first) {
      recorder.tokens(ends, first, ended, boundary(first - 1));
      stats.decodeSteps(ended - first + 1, ends[ended] - boundary(first - 1));
    }
    int inFlight = segment.end(running.batch, next.batch);
    if (inFlight > 0 && ended >= 0) {
      time(running, ended + 1);
    }
    if (inFlight > 1) {
      time(next, ended + 2);
    }
    return inFlight;
  }

  private void time(Step step, int number) {
    step.nanos = ends[number] - ends[number - 1];
    step.decodeNanos = step.nanos;
  }
}
