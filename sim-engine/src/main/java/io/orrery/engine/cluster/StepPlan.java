package io.orrery.engine.cluster;

import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.engine.scheduler.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The decode-only steps that a worker has told ahead: when each ends, and how far they have been
 * carried out.
 *
 * <p>Step k ends at {@code ends[k]}. Synchronous: step 1 begins at {@code ends[0]}, the boundary
 * where the plan is made, and step k + 1 is scheduled where step k ends. Asynchronous: step 0 is in
 * flight when the plan is made and ends at {@code ends[0]}; step 1 is scheduled at once, and step k
 * + 2 where step k ends. When the last planned step ends an event comes: it may end requests. So it
 * does when step 0 ends, if that gives first tokens.
 */
final class StepPlan {
  /** Longest plan, in steps. */
  private static final int LONGEST = 1024;

  private final Scheduler scheduler;
  private final DecodeSegment segment;
  private final StepTimer timer;
  private final BlockEvents blockEvents;
  private final WorkerStats stats;
  private final TokenListener tokens;
  private final int worker;

  /** Hears every step; null if nobody wants to. */
  private final @Nullable Recorder steps;

  private final int first;
  private final long[] ends = new long[LONGEST + 1];
  private int last;

  /** The first step whose tokens nobody has been told. */
  private int untold;

  /**
   * The next step to be scheduled that takes or completes a block; beyond the last if none does.
   */
  private int nextBusy;

  private long madeAt;
  private long stamp;

  /** Hears the tokens of planned steps. */
  interface TokenListener {
    /**
     * The requests of the segment each got one token at {@code ends[from]}, {@code ends[from + 1]},
     * …, {@code ends[to]}; but those that leave it with step {@code to} get the last one otherwise.
     */
    void tokens(DecodeSegment segment, long[] ends, int from, int to);
  }

  StepPlan(
      int worker,
      Scheduler scheduler,
      boolean asynchronous,
      StepTimer timer,
      BlockEvents blockEvents,
      WorkerStats stats,
      TokenListener tokens,
      @Nullable Recorder steps) {
    this.worker = worker;
    this.tokens = tokens;
    this.steps = steps;
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
    if (!segment.begin(inFlight.batch, LONGEST)) {
      return false;
    }
    ends[0] = first == 0 ? t + inFlight.nanos : t;
    timer.timeDecodes(segment, segment.fullSteps(), ends);
    madeAt = t;
    last = segment.lastToEnd();
    untold = first;
    stamp = blockEvents.stepsScheduled();
    nextBusy = segment.nextBusyStep();
    scheduleThrough(1);
    return true;
  }

  /** Output tokens that the plan has given each running request by {@code t}, beyond its count. */
  int outputsBy(long t) {
    if (!segment.active()) {
      return 0;
    }
    carryOut(t);
    return segment.outputsAhead();
  }

  /** When something happens that needs an event. */
  long nextEvent() {
    return ends[segment.isToBeOpened() ? 0 : last];
  }

  /** Whether step 0 gives first tokens, and {@link #open} has not been called. */
  boolean isToBeOpened() {
    return segment.isToBeOpened();
  }

  /** Takes in step 0, which has just ended and gives first tokens. */
  void open() {
    segment.open();
    untold = 1;
    blockEvents.stepsEnded(stamp, stamp, ends);
  }

  /**
   * Has the plan end with the step that is in progress at {@code t}, if it does not anyway.
   *
   * @return whether a step is in progress, and not just about to begin
   */
  boolean shorten(long t) {
    carryOut(t);
    if (lastBoundary() == t) {
      return false;
    }
    if (lastEnded() + 1 < last) {
      last = lastEnded() + 1;
      segment.stopScheduling();
      nextBusy = segment.nextBusyStep();
    }
    return true;
  }

  /** Carries the plan out up to {@code t}; steps that end at {@code t} have ended. */
  void carryOut(long t) {
    int before = lastEnded();
    int ended = lastEndedBy(t, before);
    scheduleThrough(scheduledBehind(boundary(ended) < t ? ended : ended - 1));
    segment.takeOutputs(ended - before);
    blockEvents.stepsEnded(stamp + ended, stamp, ends);
  }

  /**
   * The moment before which carrying out would only count steps: then the next step is scheduled
   * that takes or completes a block, or an event of a block is due.
   */
  long quietBefore() {
    long scheduling =
        nextBusy > segment.steps() ? Long.MAX_VALUE : boundary(nextBusy - 2 + first) + 1;
    return Math.min(scheduling, blockEvents.nextPublication(stamp, ends, last - 1));
  }

  /** Carries the plan out up to {@code t}, the step that is scheduled at {@code t} included. */
  void carryOutWithStarts(long t) {
    carryOut(t);
    scheduleThrough(scheduledBehind(lastEnded()));
  }

  /** The last step that is scheduled when step {@code ended} has ended. */
  private int scheduledBehind(int ended) {
    return Math.min(ended + 2 - first, segment.steps());
  }

  /** The last step whose output has been taken in; one before the first step if none has. */
  private int lastEnded() {
    return segment.updated() + first - 1;
  }

  /** The last step that has ended by {@code t}, but for the one that an event comes for. */
  private int lastEndedBy(long t, int from) {
    int low = from;
    int high = segment.isToBeOpened() ? -1 : last - 1;
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

  private void scheduleThrough(int step) {
    while (nextBusy <= step) {
      long scheduledAt = boundary(nextBusy - 2 + first);
      blockEvents.stepScheduling(stamp + nextBusy, scheduledAt);
      segment.scheduleThrough(nextBusy);
      stats.use(scheduledAt, scheduler.usedBlocks());
      nextBusy = segment.nextBusyStep();
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

  /**
   * Ends the plan, carried out so far. What has been scheduled and not ended becomes ordinary
   * steps.
   *
   * @param running receives the step in progress
   * @param next receives the one behind it
   * @return how many of the two there are
   */
  int finish(Step running, Step next) {
    int ended = lastEnded();
    tell(ended);
    int inFlight = segment.end(running.batch, next.batch, false);
    if (inFlight > 0 && ended >= 0) {
      time(running, ended + 1);
    }
    if (inFlight > 1) {
      time(next, ended + 2);
    }
    return inFlight;
  }

  /**
   * Ends the plan when its last step has just ended, with asynchronous scheduling.
   *
   * @param ending receives what is left of that step: the requests that end with it
   * @param next receives the step behind it
   * @return whether there is one
   */
  boolean finishWithLast(Step ending, Step next) {
    tell(last);
    segment.end(ending.batch, next.batch, true);
    if (next.batch.size() == 0) {
      return false;
    }
    time(next, last + 1);
    return true;
  }

  private void tell(int ended) {
    if (ended < untold) {
      return;
    }
    for (int step = untold; steps != null && step <= ended; step++) {
      steps.step(worker, boundary(step - 1), ends[step], segment.size(), 0, 0);
    }
    tokens.tokens(segment, ends, untold, ended);
    stats.decodeSteps(ended - untold + 1, ends[ended] - boundary(untold - 1));
  }

  private void time(Step step, int number) {
    if (number > segment.fullSteps()) {
      timer.time(step);
    } else {
      step.nanos = ends[number] - ends[number - 1];
      step.decodeNanos = step.nanos;
    }
  }
}
