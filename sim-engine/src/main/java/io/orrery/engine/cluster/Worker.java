package io.orrery.engine.cluster;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.record.Samples;
import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.routing.WorkerView;
import io.orrery.engine.scheduler.Batch;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.engine.scheduler.SchedulerListener;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.engine.scheduler.Sequence;
import io.orrery.engine.scheduler.VllmScheduler;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.function.Consumer;

/**
 * One model replica: its scheduler, the step that runs, and a plan for the steps ahead.
 *
 * <p>While the batch only decodes, the worker plans a segment of steps in one go and asks for one
 * event at its end. What touches the worker meanwhile either {@linkplain #advance advances} it
 * (finished steps are carried out, the plan stays) or {@linkplain #arrive cuts} the plan. Either
 * way the outcome is the same as stepping every forward pass.
 */
final class Worker implements WorkerView, SchedulerListener {
  /** Longest plan, in steps. */
  private static final int PLAN = 1024;

  private final int id;
  private final PoolSettings pool;
  private final Events events;
  private final PrefixLedger ledger;
  private final Samples interToken;
  private final VllmScheduler scheduler;
  private final DecodeSegment segment;
  private final StepTimeModel stepTime;
  private final StepShape shape = new StepShape();
  private final StepShape decodes = new StepShape();
  private final boolean asynchronous;
  private final WorkerStats stats;
  private final int maxModelLength;

  private final BlockEvents blockEvents;
  private Step running = new Step();
  private Step next = new Step();
  private boolean busy;
  private boolean nextScheduled;
  private boolean starting;
  private long eventTime = -1;

  private final long[] ends = new long[PLAN + 1];
  private int lastPlanned;
  private long planStart;
  private long planStamp;

  private long now;
  private int requestsInFlight;
  private long tokensInFlight;

  /** A step with its duration. */
  private static final class Step {
    Batch batch = new Batch();
    long nanos;
    long decodeNanos;
  }

  /** What a worker tells the simulation. */
  interface Events {
    /** Asks for a STEP_END event. */
    void wake(Worker worker, long time);

    /** A look-up is about to be judged by what has been scheduled anywhere by now. */
    void lookedUp(Worker worker, long now);

    void firstScheduled(ActiveRequest request, long now);

    void resumed(ActiveRequest request, int redoneTokens, long now);

    void preempted(ActiveRequest request, long now);

    void firstToken(ActiveRequest request, Worker worker, long now);

    void secondToken(ActiveRequest request, long now);

    void finished(ActiveRequest request, Worker worker, long now);
  }

  Worker(
      int id,
      PoolSettings pool,
      Events events,
      BlockFacts facts,
      PrefixLedger ledger,
      Samples interToken,
      long indexDelay) {
    this.id = id;
    this.pool = pool;
    this.events = events;
    this.ledger = ledger;
    this.interToken = interToken;
    SchedulerSettings settings = pool.scheduler();
    stats = new WorkerStats(id, pool.gpusPerWorker(), settings.blocks() - 1);
    blockEvents = new BlockEvents(id, facts, stats, indexDelay);
    scheduler = new VllmScheduler(settings, this, blockEvents);
    segment = new DecodeSegment(scheduler);
    stepTime = pool.stepTime();
    asynchronous = settings.asynchronous();
    long poolTokens = (long) totalBlocks() * settings.blockSize();
    shape.kvPoolTokens = poolTokens;
    decodes.kvPoolTokens = poolTokens;
    maxModelLength = effectiveModelLength(settings);
  }

  /**
   * The longest prompt and output that one request can reach, given the pool and, without chunking,
   * the budget.
   */
  static int effectiveModelLength(SchedulerSettings settings) {
    long poolTokens = (long) (settings.blocks() - 1) * settings.blockSize();
    long length = Math.min(settings.maxModelLength(), poolTokens);
    return (int)
        (settings.chunkedPrefill() ? length : Math.min(length, settings.maxBatchedTokens()));
  }

  int maxModelLength() {
    return maxModelLength;
  }

  WorkerStats stats() {
    return stats;
  }

  void feeds(RouterIndex index) {
    blockEvents.feed(index);
  }

  /** A request joins the queue at {@code t}. */
  void arrive(ActiveRequest request, long t) {
    cut(t);
    now = t;
    requestsInFlight++;
    tokensInFlight += request.promptTokens;
    stats.placed();
    scheduler.add(request);
    if (!busy) {
      starting = true;
    }
  }

  /** A STEP_END event; ignored unless the worker still waits for it. */
  void stepEnds(long t) {
    if (t != eventTime) {
      return;
    }
    eventTime = -1;
    if (segment.active()) {
      endSegment(t);
    }
    now = t;
    long decode = Math.min(running.decodeNanos, running.nanos);
    stats.step(running.nanos - decode, decode);
    busy = false;
    starting = true;
    blockEvents.stepEnded(t);
    blockEvents.updateBegins();
    scheduler.update(running.batch);
    blockEvents.updateEnds(t);
    stats.use(t, usedBlocks());
  }

  /** Whether a step is to be started at this instant. */
  boolean isStarting() {
    return starting;
  }

  /** Starts the next step at {@code t}, if there is anything to do. */
  void start(long t) {
    starting = false;
    now = t;
    if (!asynchronous) {
      if (!plan(t, t) && formRunning()) {
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
      if (!plan(t, t + running.nanos)) {
        run(t);
        nextScheduled = form(next);
      }
    }
    stats.use(t, usedBlocks());
  }

  private void run(long t) {
    busy = true;
    wakeAt(t + running.nanos);
  }

  private void wakeAt(long time) {
    eventTime = time;
    events.wake(this, time);
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
    } while (running.batch.preempted());
    return false;
  }

  /** Schedules a step and times it; false if it is empty. */
  private boolean form(Step step) {
    blockEvents.stepScheduling();
    Batch batch = step.batch;
    scheduler.schedule(batch);
    if (batch.totalTokens() == 0) {
      blockEvents.stepEmpty();
      return false;
    }
    shape.clear();
    for (int i = 0; i < batch.size(); i++) {
      int tokens = batch.newTokens(i);
      int before = batch.computedBefore(i);
      if (tokens == 1 && before >= batch.sequence(i).promptTokens) {
        shape.addDecode(before + 1);
      } else {
        shape.addPrefill(tokens, before);
      }
    }
    step.nanos = stepTime.stepNanos(shape);
    step.decodeNanos = shape.prefillCount == 0 ? step.nanos : decodesAlone();
    return true;
  }

  private long decodesAlone() {
    if (shape.decodeCount == 0) {
      return 0;
    }
    decodes.clear();
    for (int i = 0; i < shape.decodeCount; i++) {
      decodes.addDecode(shape.decodeContext(i));
    }
    return stepTime.stepNanos(decodes);
  }

  // A planned segment. Step k ends at ends[k]. Synchronous: step 1 begins at ends[0], the boundary
  // where the plan is made, and step k + 1 is scheduled where step k ends. Asynchronous: step 0 is
  // in flight when the plan is made and ends at ends[0]; step 1 is scheduled at once, and step
  // k + 2 where step k ends. The output of step lastPlanned is not the plan's: an event comes for
  // it, and it may end requests.

  private boolean plan(long t, long firstStart) {
    int steps = segment.begin(running.batch, PLAN);
    if (steps < 2) {
      return false;
    }
    shape.clear();
    for (int i = 0; i < scheduler.runningCount(); i++) {
      shape.addDecode(scheduler.running(i).computed + 1);
    }
    ends[0] = firstStart;
    stepTime.decodeRun(shape, steps, firstStart, ends, 1);
    planStart = t;
    lastPlanned = asynchronous ? steps - 1 : steps;
    busy = true;
    planStamp = blockEvents.stepsScheduled();
    schedulePlanned(1);
    wakeAt(ends[lastPlanned]);
    return true;
  }

  /**
   * Carries out what the plan says up to {@code t}; the plan stays. A step that ends at {@code t}
   * has ended.
   */
  void advance(long t) {
    if (segment.active()) {
      carryOut(t);
    }
    blockEvents.deliver(t);
  }

  /**
   * Carries out what the plan says up to {@code t}.
   *
   * @param withStarts whether the step that starts at {@code t} has been scheduled, too
   */
  void catchUp(long t, boolean withStarts) {
    if (segment.active()) {
      carryOut(t);
      if (withStarts) {
        schedulePlanned(lastEnded() + (asynchronous ? 2 : 1));
      }
    }
  }

  private void carryOut(long t) {
    int before = lastEnded();
    int ended = lastEndedBy(t, before);
    // The boundary behind step k schedules step k + 1, or k + 2 with asynchronous scheduling.
    int ahead = asynchronous ? 2 : 1;
    schedulePlanned(boundary(ended) < t ? ended + ahead : ended + ahead - 1);
    segment.takeOutputs(ended - before);
    blockEvents.stepsEnded(planStamp + ended, planStamp, ends);
  }

  /** The last planned step that has ended by {@code t}, but for the one that an event comes for. */
  private int lastEndedBy(long t, int from) {
    int low = from;
    int high = lastPlanned - 1;
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

  /** Schedules the planned steps up to {@code last}. */
  private void schedulePlanned(int last) {
    int step;
    while ((step = segment.nextBusyStep(last)) <= last) {
      now = boundary(step - (asynchronous ? 2 : 1));
      blockEvents.stepScheduled(planStamp + step);
      segment.scheduleThrough(step);
      stats.use(now, usedBlocks());
    }
    segment.skipThrough(last);
    blockEvents.stepScheduled(planStamp + segment.scheduled());
  }

  /**
   * The last planned step whose output has been taken in; one before the first step if none has.
   */
  private int lastEnded() {
    return segment.updated() - (asynchronous ? 1 : 0);
  }

  /** When step {@code ended} ended; for the step before the first, when the plan was made. */
  private long boundary(int ended) {
    return ended < 0 ? planStart : ends[ended];
  }

  /**
   * Ends the plan at {@code t}: the step in progress becomes the running one again, and the one
   * behind it the next.
   */
  private void endSegment(long t) {
    carryOut(t);
    int ended = lastEnded();
    record(ended);
    int inFlight = segment.end(running.batch, next.batch);
    busy = inFlight > 0;
    nextScheduled = inFlight > 1;
    if (ended >= 0 && busy) {
      time(running, ended + 1);
    }
    if (nextScheduled) {
      time(next, ended + 2);
    }
  }

  private void time(Step step, int number) {
    step.nanos = ends[number] - ends[number - 1];
    step.decodeNanos = step.nanos;
  }

  /** Writes down the tokens and the time of the planned steps up to {@code last}. */
  private void record(int last) {
    int first = asynchronous ? 0 : 1;
    if (last < first) {
      return;
    }
    int count = scheduler.runningCount();
    for (int i = 0; i < count; i++) {
      ActiveRequest request = (ActiveRequest) scheduler.running(i);
      interToken.add(ends[first] - request.lastTokenNanos, 1);
      if (request.outputs == 1) {
        events.secondToken(request, ends[first]);
      }
      request.lastTokenNanos = ends[last];
    }
    for (int step = first + 1; step <= last; step++) {
      interToken.add(ends[step] - ends[step - 1], count);
    }
    stats.decodeSteps(last - first + 1, ends[last] - boundary(first - 1));
  }

  /**
   * Ends the plan because something is about to change the worker at {@code t}, before that
   * instant's step starts.
   */
  private void cut(long t) {
    if (!segment.active()) {
      return;
    }
    endSegment(t);
    long began = boundary(lastEnded());
    if (began < t) {
      wakeAt(began + running.nanos);
      return;
    }
    // A step ended at this very instant: what comes behind it starts with the instant's step
    // starts.
    eventTime = -1;
    starting = true;
    if (busy) {
      Step swap = next;
      next = running;
      running = swap;
      nextScheduled = true;
      busy = false;
    }
  }

  /** Settles everything to the end of the run at {@code t}. */
  void settle(long t) {
    if (segment.active()) {
      catchUp(t, true);
      endSegment(t);
    }
    blockEvents.deliver(t);
    stats.settle(t);
  }

  /** Requests still here: running ones, then waiting ones. */
  void forEachOpen(Consumer<ActiveRequest> action) {
    for (int i = 0; i < scheduler.runningCount(); i++) {
      action.accept((ActiveRequest) scheduler.running(i));
    }
    for (int i = 0; i < scheduler.waitingCount(); i++) {
      action.accept((ActiveRequest) scheduler.waiting(i));
    }
  }

  // What the scheduler says.

  @Override
  public void admitting(Sequence sequence, int hitTokens) {
    ActiveRequest request = (ActiveRequest) sequence;
    if (!request.admittedOnce) {
      events.lookedUp(this, now);
      ledger.lookedUp(request, hitTokens);
    }
  }

  @Override
  public void admitted(Sequence sequence, int hitTokens) {
    ActiveRequest request = (ActiveRequest) sequence;
    if (!request.admittedOnce) {
      ledger.admitted(request, hitTokens);
      events.firstScheduled(request, now);
    } else {
      events.resumed(request, Math.max(0, request.lostTokens - hitTokens), now);
    }
  }

  @Override
  public void preempted(Sequence sequence, int computedTokens) {
    stats.preempted();
    events.preempted((ActiveRequest) sequence, now);
  }

  @Override
  public void token(Sequence sequence) {
    ActiveRequest request = (ActiveRequest) sequence;
    if (request.outputs == 1) {
      request.firstTokenNanos = now;
      events.firstToken(request, this, now);
    } else {
      interToken.add(now - request.lastTokenNanos, 1);
      if (request.outputs == 2) {
        events.secondToken(request, now);
      }
    }
    request.lastTokenNanos = now;
  }

  @Override
  public void finishing(Sequence sequence) {
    ActiveRequest request = (ActiveRequest) sequence;
    requestsInFlight--;
    tokensInFlight -= request.promptTokens;
    ledger.ended(request);
    events.finished(request, this, now);
  }

  // What a router sees.

  @Override
  public int id() {
    return id;
  }

  @Override
  public int requestsInFlight() {
    return requestsInFlight;
  }

  @Override
  public long tokensInFlight() {
    return tokensInFlight;
  }

  @Override
  public int usedBlocks() {
    return scheduler.pool().usableBlocks() - scheduler.pool().freeBlocks();
  }

  @Override
  public int totalBlocks() {
    return scheduler.pool().usableBlocks();
  }

  @Override
  public int gpus() {
    return pool.gpusPerWorker();
  }
}
