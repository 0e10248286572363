package io.orrery.engine.cluster;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.record.LookUpLog;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.Samples;
import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.engine.scheduler.Scheduler;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One model replica: its scheduler, the step that runs, and a plan for the steps ahead.
 *
 * <p>While the batch only decodes, the worker plans a segment of steps in one go and asks for one
 * event at its end. What touches the worker meanwhile either {@linkplain #advance advances} it
 * (finished steps are carried out, the plan stays) or {@linkplain #arrive cuts} the plan. Either
 * way the outcome is the same as stepping every forward pass.
 */
final class Worker {
  private final int id;
  private final PoolSettings pool;
  private final WorkerEvents events;
  private final RequestProgress progress;
  private final Scheduler scheduler;
  private final StepTimer timer;
  private final StepPlan plan;
  private final boolean asynchronous;
  private final WorkerStats stats;
  private final int maxModelLength;

  /** Hears every step; null if nobody wants to. */
  private final @Nullable Recorder steps;

  private final BlockEvents blockEvents;
  private Step running = new Step();
  private Step next = new Step();
  private boolean busy;
  private boolean nextScheduled;
  private boolean starting;
  private long now;

  Worker(
      int id,
      PoolSettings pool,
      WorkerEvents events,
      BlockFacts facts,
      PrefixLedger ledger,
      Samples interToken,
      LookUpLog lookUps,
      long indexDelay,
      int keyTokens,
      long seed,
      @Nullable Recorder steps) {
    this.steps = steps;
    this.id = id;
    this.pool = pool;
    this.events = events;
    SchedulerSettings settings = pool.scheduler();
    stats =
        new WorkerStats(id, pool.gpusPerWorker(), settings.usableBlocks(), settings.blockSize());
    blockEvents = new BlockEvents(id, facts, stats, lookUps, indexDelay, steps);
    progress = new RequestProgress(id, events, ledger, interToken, lookUps, stats);
    scheduler = Scheduler.of(settings, keyTokens, seed, progress, blockEvents);
    asynchronous = settings.asynchronous();
    timer =
        new StepTimer(
            pool.stepTime(), (long) totalBlocks() * settings.blockSize(), settings.speculation());
    plan = new StepPlan(id, scheduler, asynchronous, timer, blockEvents, stats, progress, steps);
    maxModelLength = settings.longestContext();
  }

  int maxModelLength() {
    return maxModelLength;
  }

  /** Tokens of a page of its cache. */
  int pageTokens() {
    return pool.scheduler().blockSize();
  }

  WorkerStats stats() {
    return stats;
  }

  void feeds(RouterIndex index) {
    blockEvents.feed(index);
  }

  /** Host time of a request before the scheduler sees it. */
  long hostNanos(int promptTokens) {
    return pool.stepTime().requestNanos(promptTokens);
  }

  /** A request was sent here. */
  void placed() {
    stats.placed();
  }

  /** A placed request joins the queue at {@code t}. */
  void arrive(ActiveRequest request, long t) {
    cut(t);
    setNow(t);
    progress.joined();
    scheduler.add(request);
    if (!busy) {
      starting = true;
    }
  }

  /** A STEP_END event. */
  void stepEnds(long t) {
    setNow(t);
    if (plan.isToBeOpened()) {
      open(t);
      return;
    }
    if (plan.active() && asynchronous) {
      plan.carryOut(t);
      nextScheduled = plan.finishWithLast(running, next);
    } else {
      endPlan(t);
      tellStep(t);
    }
    busy = false;
    starting = true;
    blockEvents.stepEnded(t);
    blockEvents.updateBegins(t);
    scheduler.update(running.batch);
    blockEvents.updateEnds(t);
    stats.use(t, usedBlocks());
  }

  /** The first step of a plan ends with first tokens. */
  private void open(long t) {
    tellStep(t);
    plan.open();
    DecodeSegment segment = scheduler.segment();
    for (int i = 0; i < segment.size(); i++) {
      progress.token(segment.sequence(i));
    }
    if (plan.nextEvent() > t) {
      events.wake(id, plan.nextEvent());
    } else {
      endPlan(t);
      startInFlight();
    }
  }

  private void tellStep(long t) {
    if (steps != null) {
      running.tell(steps, id, t);
    }
    stats.step(running.nanos - running.decodeNanos, running.decodeNanos);
    stats.withoutDrafts(running.plainDecodeNanos);
  }

  /** Whether a step is to be started at this instant. */
  boolean isStarting() {
    return starting;
  }

  /** Starts the next step at {@code t}, if there is anything to do. */
  void start(long t) {
    starting = false;
    setNow(t);
    if (!asynchronous) {
      if (!follow(t) && formRunning()) {
        run(t);
      }
    } else {
      if (nextScheduled) {
        Step swap = running;
        running = next;
        next = swap;
        nextScheduled = false;
      } else if (!formRunning()) {
        stats.use(t, usedBlocks());
        return;
      }
      if (!follow(t)) {
        run(t);
        nextScheduled = form(next);
      }
    }
    stats.use(t, usedBlocks());
  }

  private void setNow(long t) {
    now = t;
    progress.setNow(t);
  }

  private void run(long t) {
    busy = true;
    events.wake(id, t + running.nanos);
  }

  /**
   * Schedules the step that runs now. One that only preempted is empty, takes no time, and is
   * followed by another.
   */
  private boolean formRunning() {
    do {
      if (form(running)) {
        return true;
      }
    } while (running.batch.repeats());
    return false;
  }

  /** Schedules a step and times it; false if it is empty. */
  private boolean form(Step step) {
    blockEvents.stepScheduling(now);
    scheduler.schedule(step.batch);
    if (step.batch.totalTokens() == 0) {
      blockEvents.stepEmpty();
      return false;
    }
    timer.time(step);
    return true;
  }

  /** Makes a plan at the boundary {@code t} and follows it, if anything can be told ahead. */
  private boolean follow(long t) {
    if (!plan.make(running, t)) {
      return false;
    }
    busy = true;
    events.wake(id, plan.nextEvent());
    return true;
  }

  /**
   * Carries out what the plan says up to {@code t}; the plan stays. A step that ends at {@code t}
   * has ended.
   */
  void advance(long t) {
    if (plan.active()) {
      plan.carryOut(t);
    }
    blockEvents.deliver(t);
  }

  /**
   * The moment before which {@linkplain #advance advancing} would change nothing that anybody sees,
   * as long as nothing else touches the worker.
   */
  long quietBefore() {
    long delivery = blockEvents.nextDelivery();
    return plan.active() ? Math.min(plan.quietBefore(), delivery) : delivery;
  }

  /**
   * Carries out what the plan says up to {@code t}.
   *
   * @param withStarts whether the step that starts at {@code t} has been scheduled, too
   */
  void catchUp(long t, boolean withStarts) {
    if (!plan.active()) {
      return;
    }
    if (withStarts) {
      plan.carryOutWithStarts(t);
    } else {
      plan.carryOut(t);
    }
  }

  /**
   * Ends the plan at {@code t}, if there is one: the step in progress becomes the running one
   * again, and the one behind it the next.
   */
  private void endPlan(long t) {
    if (plan.active()) {
      plan.carryOut(t);
      int inFlight = plan.finish(running, next);
      busy = inFlight > 0;
      nextScheduled = inFlight > 1;
    }
  }

  /**
   * Ends the plan because something is about to change the worker at {@code t}, before that
   * instant's step starts.
   */
  private void cut(long t) {
    if (!plan.active()) {
      return;
    }
    if (plan.shorten(t)) {
      events.wake(id, plan.nextEvent());
    } else {
      // A step ended at this very instant.
      events.letSleep(id);
      endPlan(t);
      startInFlight();
    }
  }

  /**
   * What is in flight behind the step that has just ended starts with the instant's step starts.
   */
  private void startInFlight() {
    starting = true;
    if (busy) {
      Step swap = next;
      next = running;
      running = swap;
      nextScheduled = true;
      busy = false;
    }
  }

  /**
   * Output tokens of a request here at {@code t}, when everything has been brought up to date.
   *
   * @param decoding whether it is running and has had its first token
   */
  int outputTokens(ActiveRequest request, boolean decoding, long t) {
    return request.outputs + (decoding ? plan.outputsBy(t) : 0);
  }

  /** Settles everything to the end of the run at {@code t}. */
  void settle(long t) {
    catchUp(t, true);
    endPlan(t);
    blockEvents.deliver(t);
    progress.settle();
    stats.settleAll(t);
  }

  /** Requests still here: running ones, then waiting ones. */
  void forEachOpen(Consumer<ActiveRequest> action) {
    scheduler.forEachOpen(sequence -> action.accept((ActiveRequest) sequence));
  }

  // What the rest of the cluster sees.

  int id() {
    return id;
  }

  PoolSettings pool() {
    return pool;
  }

  int usedBlocks() {
    return scheduler.usedBlocks();
  }

  int runningRequests() {
    return progress.openRequests() - scheduler.waitingCount();
  }

  int waitingRequests() {
    return scheduler.waitingCount();
  }

  /** Tokens that the KV pool holds. */
  long kvPoolTokens() {
    return (long) totalBlocks() * pool.scheduler().blockSize();
  }

  int totalBlocks() {
    return scheduler.usableBlocks();
  }
}
