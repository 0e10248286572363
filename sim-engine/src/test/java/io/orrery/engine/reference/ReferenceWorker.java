package io.orrery.engine.reference;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.RequestState;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One worker, step by step: schedule, wait for the end of the step, update, schedule again. */
final class ReferenceWorker implements ReferenceCache.Listener, ReferenceEngine.Listener {
  /** A scheduled step and the keys that blocks got when it was scheduled. */
  private record Step(
      ReferenceEngine.Batch batch, ReferenceStepTime.Nanos nanos, List<Long> assigned) {}

  /** A block event that leaves the worker when step {@code step} has ended, in its turn. */
  private record Outgoing(long step, ReferenceRouter.BlockEvent event) {}

  /** What the rest of the simulation hears. */
  interface Events {
    void keyScheduled(long key);

    /** The worker has its first copy of a key. */
    void stored(ReferenceWorker worker, long key);

    void keyComputed(long key);

    /** A step computes tokens of a request that nobody can find yet. */
    void computing(ReferenceRow row, int from, int to);

    void blockEvents(ReferenceWorker worker, List<ReferenceRouter.BlockEvent> events);

    void admitted(ReferenceRow row, int hitTokens, int residentTokens, boolean first);

    void preempted(ReferenceRow row);

    void token(ReferenceRow row, boolean running);

    void ended(ReferenceRow row, RequestState how);
  }

  private final int id;
  private final PoolSettings pool;
  private final SchedulerSettings settings;
  private final int maxModelLength;
  private final ReferenceClock clock;
  private final Events events;
  private final ReferenceEngine scheduler;
  private final Map<ReferenceRequest, ReferenceRow> rows = new LinkedHashMap<>();
  private final ReferenceStepTime stepTime;

  private Step executing;
  private Step next;
  private boolean atBoundary;
  private final List<Long> assignedNow = new ArrayList<>();
  private final Deque<Outgoing> outgoing = new ArrayDeque<>();
  private boolean updating;
  private long scheduledSteps;
  private long endedSteps;

  // Statistics.
  long steps;
  long prefillBusyNanos;
  long decodeBusyNanos;
  long plainDecodeNanos;
  long preemptions;
  long evictedKeys;
  long verifications;
  long draftedTokens;
  long acceptedTokens;
  long requests;

  /** Requests that the scheduler has seen and that have not ended. */
  private int arrived;

  int peakBlocks;
  long usedBlockNanos;
  final TreeMap<Integer, Long> nanosAtLevel = new TreeMap<>();
  private long usageSince;
  private int usage;

  ReferenceWorker(
      int id, PoolSettings pool, ReferenceClock clock, int blockSize, long seed, Events events) {
    this.id = id;
    this.pool = pool;
    this.clock = clock;
    this.events = events;
    settings = pool.scheduler();
    maxModelLength = longestContext(settings);
    scheduler = engine(blockSize, seed);
    stepTime =
        new ReferenceStepTime(
            pool.stepTime(), settings.speculation(), (long) totalBlocks() * settings.blockSize());
  }

  private ReferenceEngine engine(int blockSize, long seed) {
    boolean caching = settings.prefixCaching();
    if (settings.engine() instanceof EngineRules.TensorRt rules) {
      ReferenceCache cache = new ReferenceCache(settings.blocks() + 1, caching, false, this);
      return new ReferenceTensorRt(settings, rules.capacity(), cache, this);
    }
    if (settings.engine() instanceof EngineRules.Sglang rules) {
      return new ReferenceSglang(settings, rules, blockSize, this, this);
    }
    ReferenceCache cache =
        new ReferenceCache(settings.blocks(), caching, settings.unkeyedToFront(), this);
    return new ReferenceVllm(settings, seed, cache, this);
  }

  /** The longest context is what the model, the pool and an unchunked step allow. */
  private static int longestContext(SchedulerSettings settings) {
    int blocks = usable(settings) - settings.state().blocksPerSequence();
    if (settings.engine() instanceof EngineRules.Sglang) {
      // One page and one token stay beside prompt and output.
      return Math.min(settings.maxModelLength(), (blocks - 1) * settings.blockSize() - 1);
    }
    long length = Math.min(settings.maxModelLength(), (long) blocks * settings.blockSize());
    return (int)
        (settings.chunkedPrefill() ? length : Math.min(length, settings.maxBatchedTokens()));
  }

  /** vLLM keeps one block for itself. */
  private static int usable(SchedulerSettings settings) {
    return settings.engine() instanceof EngineRules.Vllm
        ? settings.blocks() - 1
        : settings.blocks();
  }

  int pageTokens() {
    return settings.blockSize();
  }

  int maxModelLength() {
    return maxModelLength;
  }

  /** Leading keys of which the pool has a copy. */
  int reach(List<Long> keys) {
    int reach = 0;
    while (reach < keys.size() && scheduler.holds(keys.get(reach))) {
      reach++;
    }
    return reach;
  }

  long hostNanos(int promptTokens) {
    return pool.stepTime().requestNanos(promptTokens);
  }

  void placed(ReferenceRow row, ReferenceRequest request) {
    rows.put(request, row);
    requests++;
  }

  void arrive(ReferenceRequest request) {
    arrived++;
    scheduler.add(request);
    if (executing == null) {
      atBoundary = true;
    }
  }

  /** Starts a step if the worker stands between two; nothing more happens at this instant. */
  void startStep() {
    if (!atBoundary) {
      return;
    }
    atBoundary = false;
    formSteps();
    noteUsage();
  }

  private void formSteps() {
    executing = next;
    next = null;
    while (executing == null) {
      Step step = schedule();
      if (step.batch().tokens() > 0) {
        executing = step;
      } else {
        // A pass without tokens takes no time; another one follows if it made room.
        if (!step.batch().again()) {
          return;
        }
      }
    }
    clock.at(clock.now() + executing.nanos().step(), Phase.STEP_END, id, this::endStep);
    if (settings.asynchronous()) {
      Step following = schedule();
      if (following.batch().tokens() > 0) {
        next = following;
      }
    }
  }

  private Step schedule() {
    ReferenceEngine.Batch batch = scheduler.schedule();
    Step step = new Step(batch, stepTime.of(batch), List.copyOf(assignedNow));
    if (batch.tokens() > 0) {
      // What an empty pass did to keys counts with the next step.
      scheduledSteps++;
      assignedNow.clear();
    }
    return step;
  }

  private void endStep() {
    Step ended = executing;
    executing = null;
    atBoundary = true;
    steps++;
    ReferenceStepTime.Nanos nanos = ended.nanos();
    long prefillNanos = Math.max(0, nanos.step() - nanos.decodes());
    prefillBusyNanos += prefillNanos;
    decodeBusyNanos += nanos.step() - prefillNanos;
    plainDecodeNanos += nanos.plainDecodes();
    endedSteps++;
    ended.assigned().forEach(events::keyComputed);
    send();
    updating = true;
    scheduler.update(ended.batch());
    updating = false;
    noteUsage();
    send();
  }

  /**
   * Lets block events leave, in their order. One that a step's scheduling caused waits for the end
   * of that step; one that an update caused, for the end of the step scheduled last by then.
   */
  private void send() {
    List<ReferenceRouter.BlockEvent> leaving = new ArrayList<>();
    while (!outgoing.isEmpty() && outgoing.peekFirst().step() <= endedSteps) {
      leaving.add(outgoing.removeFirst().event());
    }
    events.blockEvents(this, leaving);
  }

  private void happened(long key, boolean stored) {
    if (stored) {
      events.stored(this, key);
    }
    long step = updating ? scheduledSteps : scheduledSteps + 1;
    outgoing.addLast(new Outgoing(step, new ReferenceRouter.BlockEvent(key, stored)));
  }

  private void noteUsage() {
    settle(clock.now());
    usage = scheduler.usedBlocks();
    peakBlocks = Math.max(peakBlocks, usage);
  }

  /** Accounts for blocks in use up to {@code time}. */
  void settle(long time) {
    long span = time - usageSince;
    if (span > 0) {
      usedBlockNanos += span * usage;
      nanosAtLevel.merge((int) (1000L * usage / totalBlocks()), span, Long::sum);
    }
    usageSince = time;
  }

  @Override
  public void assigned(ReferenceCache.Block block, long key, boolean first) {
    events.keyScheduled(key);
    if (updating) {
      events.keyComputed(key);
    } else {
      assignedNow.add(key);
    }
    if (first && !BlockKeys.isPrivate(key)) {
      happened(key, true);
    }
  }

  @Override
  public void begun(long key) {
    if (!BlockKeys.isPrivate(key)) {
      events.stored(this, key);
    }
  }

  @Override
  public void evicted(ReferenceCache.Block block, long key, boolean last) {
    if (last && !BlockKeys.isPrivate(key)) {
      evictedKeys++;
      happened(key, false);
    }
  }

  @Override
  public void admitting(ReferenceRequest request, int hitTokens) {
    events.admitted(rows.get(request), hitTokens, request.residentTokens, request.preemptions == 0);
  }

  @Override
  public void computing(ReferenceRequest request, int from, int to) {
    events.computing(rows.get(request), from, to);
  }

  @Override
  public void verified(int drafts, int accepted) {
    verifications++;
    draftedTokens += drafts;
    acceptedTokens += accepted;
  }

  @Override
  public void preempting(ReferenceRequest request) {
    preemptions++;
    ReferenceRow row = rows.get(request);
    row.mostComputed = Math.max(row.mostComputed, request.computed);
    events.preempted(row);
  }

  @Override
  public void token(ReferenceRequest request) {
    events.token(rows.get(request), request.running);
  }

  @Override
  public void finishing(ReferenceRequest request, boolean byStopToken) {
    arrived--;
    events.ended(rows.remove(request), RequestState.FINISHED);
  }

  @Override
  public void failing(ReferenceRequest request) {
    arrived--;
    events.ended(rows.remove(request), RequestState.FAILED);
  }

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
    return arrived - scheduler.waitingCount();
  }

  int waitingRequests() {
    return scheduler.waitingCount();
  }

  int totalBlocks() {
    return usable(settings);
  }
}
