package io.orrery.engine.scheduler;

import io.orrery.engine.cache.PoolListener;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SGLang's scheduler, as published ({@code managers/scheduler.py}, {@code schedule_policy.py},
 * {@code schedule_batch.py}; Apache-2.0), without time.
 *
 * <ul>
 *   <li>Prefill goes first: a pass that admits anything, or continues a chunk, computes prefill
 *       alone, and decodes wait.
 *   <li>Admission reserves memory for what running requests may still produce, scaled by a ratio
 *       that falls with every decode pass and is estimated anew when memory has run out.
 *   <li>Once a request was refused for memory or seats, the batch counts as full and none is tried
 *       until a running one has left it.
 *   <li>A decode that finds no page retracts the requests with the fewest outputs; they queue again
 *       at the end. One that is left alone and still finds none is given up.
 *   <li>A prompt's pages can be found once its pass has ended (a chunk's when the next pass is
 *       formed), an output's once its request ends.
 *   <li>With overlapping (asynchronous) scheduling no end is foreseen: the step behind a request's
 *       last one computes a token for it that nobody gets.
 * </ul>
 */
public final class SglangScheduler implements Scheduler {
  final SchedulerSettings settings;
  final PagedMemory memory;
  final RunningList running = new RunningList();
  private final SchedulerListener listener;
  private final PrefillBudget budget;
  private final SglangDecodeSegment segment;
  private final int pagesPerKey;
  private final int pageTokens;
  final ReservedOutputRatio ratio;

  private final PagedQueue waiting;
  private final DecodePages decodePages;

  /** Of the last pass, if it was a prefill: its requests, which join the running ones next. */
  private Sequence[] lastPrefill = new Sequence[16];

  private int lastPrefillCount;

  /** Requests of the last pass, if it was a decode. */
  private int lastDecodeCount;

  private boolean lastWasEmpty = true;
  private @Nullable PagedRequest chunked;
  private boolean batchIsFull;

  /**
   * @param pagesPerKey pages of a block that the sequences' keys name, at least 1
   */
  public SglangScheduler(
      SchedulerSettings settings,
      EngineRules.Sglang rules,
      int pagesPerKey,
      SchedulerListener listener,
      PoolListener poolListener) {
    this.settings = settings;
    this.listener = listener;
    this.pagesPerKey = pagesPerKey;
    this.pageTokens = settings.blockSize();
    memory = new PagedMemory(settings, rules, pagesPerKey, poolListener);
    QueueOrder.Policy policy = settings.prefixCaching() ? rules.order() : QueueOrder.Policy.FCFS;
    waiting =
        new PagedQueue(
            new QueueOrder(policy, settings.priorities(), true, memory.tree(), pageTokens),
            pageTokens);
    budget = new PrefillBudget(rules, memory, pageTokens);
    ratio = new ReservedOutputRatio(rules.conservativeness());
    decodePages = new DecodePages(running, memory, waiting, ratio, listener, pageTokens);
    segment = new SglangDecodeSegment(this);
  }

  @Override
  public void add(Sequence sequence) {
    PagedRequest request = new PagedRequest(sequence, pagesPerKey);
    sequence.paged = request;
    sequence.state = Sequence.State.WAITING;
    waiting.add(request);
  }

  @Override
  public void abort(Sequence sequence) {
    if (sequence.state == Sequence.State.FINISHED) {
      return;
    }
    PagedRequest request = sequence.paged();
    waiting.remove(request);
    if (sequence.state == Sequence.State.RUNNING) {
      memory.release(request);
    }
    if (chunked == request) {
      chunked = null;
    }
    sequence.state = Sequence.State.FINISHED;
  }

  @Override
  public void schedule(Batch batch) {
    batch.clear();
    if (chunked != null) {
      memory.store(chunked, chunked.sequence.computed, true);
    }
    joinLastPrefill();
    lastDecodeCount = 0;
    prefill(batch);
    if (batch.size() > 0) {
      notePrefill(batch);
    } else if (running.size() > 0) {
      decode(batch);
    }
    boolean empty = batch.size() == 0;
    if (empty && (lastWasEmpty || !settings.asynchronous())) {
      ratio.startOver();
    }
    lastWasEmpty = empty;
  }

  private void joinLastPrefill() {
    for (int i = 0; i < lastPrefillCount; i++) {
      Sequence sequence = lastPrefill[i];
      if (sequence.state != Sequence.State.RUNNING
          || (chunked != null && sequence == chunked.sequence)) {
        batchIsFull = false;
      } else {
        running.add(sequence);
      }
    }
    Arrays.fill(lastPrefill, 0, lastPrefillCount, null);
    lastPrefillCount = 0;
  }

  private void notePrefill(Batch batch) {
    if (lastPrefill.length < batch.size()) {
      lastPrefill = new Sequence[batch.size() * 2];
    }
    for (int i = 0; i < batch.size(); i++) {
      lastPrefill[i] = batch.sequence(i);
    }
    lastPrefillCount = batch.size();
  }

  private void prefill(Batch batch) {
    if (chunked == null && !mayAdmit()) {
      return;
    }
    waiting.sort();
    budget.begin(running, ratio.value());
    continueChunk(batch);
    int admitted = 0;
    while (admitted < waiting.size()) {
      batchIsFull |= batch.size() >= settings.maxSequences() - running.size();
      if (batchIsFull) {
        break;
      }
      PagedRequest request = waiting.get(admitted);
      int before = batch.size();
      PrefillBudget.Verdict verdict = offer(batch, request);
      admitted += batch.size() - before;
      if (verdict != PrefillBudget.Verdict.GOES_ON) {
        batchIsFull |= verdict == PrefillBudget.Verdict.NO_TOKEN;
        break;
      }
    }
    waiting.removeFirst(admitted);
    takePages(batch);
  }

  private boolean mayAdmit() {
    if (batchIsFull || waiting.isEmpty()) {
      return false;
    }
    batchIsFull = running.size() >= settings.maxSequences();
    return !batchIsFull;
  }

  private void continueChunk(Batch batch) {
    PagedRequest request = chunked;
    if (request == null) {
      return;
    }
    Sequence sequence = request.sequence;
    int tokens = budget.nextChunk(sequence, sequence.contextTokens - sequence.computed);
    if (tokens > 0) {
      compute(batch, sequence, Batch.Kind.RUNNING, tokens);
      chunked = sequence.computed < sequence.contextTokens ? request : null;
    }
  }

  /** Admits a request to the pass, if it fits. */
  private PrefillBudget.Verdict offer(Batch batch, PagedRequest request) {
    Sequence sequence = request.sequence;
    int limit = Math.min(sequence.tokens() - 1, request.queued.findableTokens);
    int hit = memory.match(request, limit);
    listener.lookedUp(sequence, hit);
    int uncached = sequence.tokens() - hit;
    if (!budget.fitsMemory(request, uncached)) {
      listener.allocationFailed(sequence);
      return PrefillBudget.Verdict.NO_TOKEN;
    }
    if (!budget.fitsPass(uncached, batch.size() == 0)) {
      return PrefillBudget.Verdict.STOP;
    }
    memory.lock(request);
    // What it has found can be evicted no more, so less memory is left than before.
    if (!budget.fitsMemory(request, uncached)) {
      memory.unlock(request);
      listener.allocationFailed(sequence);
      return PrefillBudget.Verdict.NO_TOKEN;
    }
    int tokens = budget.firstPart(uncached, chunked == null);
    if (tokens == 0) {
      memory.unlock(request);
      return PrefillBudget.Verdict.STOP;
    }
    admit(batch, request, hit, tokens);
    if (tokens < uncached) {
      chunked = request;
    }
    return budget.admit(request, tokens, tokens == uncached);
  }

  private void admit(Batch batch, PagedRequest request, int hit, int tokens) {
    Sequence sequence = request.sequence;
    listener.admitting(sequence, hit);
    Batch.Kind kind =
        sequence.state == Sequence.State.PREEMPTED ? Batch.Kind.RESUMED : Batch.Kind.NEW;
    sequence.state = Sequence.State.RUNNING;
    sequence.computed = hit;
    sequence.hitTokens = hit;
    sequence.contextTokens = sequence.tokens();
    request.cachedTokens = hit;
    compute(batch, sequence, kind, tokens);
    listener.admitted(sequence, hit);
  }

  private void compute(Batch batch, Sequence sequence, Batch.Kind kind, int tokens) {
    batch.add(sequence, kind, sequence.computed, tokens);
    listener.computing(sequence, sequence.computed, sequence.computed + tokens);
    sequence.computed += tokens;
    expectToken(batch, sequence.computed == sequence.contextTokens);
  }

  /** Notes whether the request added last gets a token at the step's end. */
  private void expectToken(Batch batch, boolean yields) {
    int i = batch.size() - 1;
    batch.setYieldsToken(i, yields);
    if (yields && settings.asynchronous()) {
      batch.sequence(i).placeholders++;
    }
  }

  private void takePages(Batch batch) {
    long wanted = batch.totalTokens();
    for (int i = 0; i < batch.size(); i++) {
      // An allocation by pages asks for one more per request than it may need.
      wanted += pageTokens > 1 ? pageTokens : 0;
      wanted += memory.stateTokens(batch.sequence(i).paged());
    }
    memory.evictFor(wanted);
    for (int i = 0; i < batch.size(); i++) {
      int before = batch.computedBefore(i);
      memory.take(memory.pages(before + batch.newTokens(i)) - memory.pages(before));
      memory.takeState(batch.sequence(i).paged());
    }
  }

  private void decode(Batch batch) {
    int before = running.size();
    running.dropEnded();
    if (running.size() > 0) {
      if (decodePages.suffice()) {
        ratio.fall();
      } else {
        batch.setPreempted();
        decodePages.retract();
      }
    }
    if (running.size() < before) {
      batchIsFull = false;
    }
    if (running.size() == 0) {
      if (!waiting.isEmpty()) {
        batch.setRepeats();
      }
      return;
    }
    memory.evictFor((long) running.size() * pageTokens);
    for (int i = 0; i < running.size(); i++) {
      Sequence sequence = running.get(i);
      memory.take(decodePages.startsPage(sequence) ? 1 : 0);
      batch.add(sequence, Batch.Kind.RUNNING, sequence.computed, 1);
      sequence.computed++;
      expectToken(batch, true);
    }
    lastDecodeCount = running.size();
  }

  @Override
  public void update(Batch batch) {
    for (int i = 0; i < batch.size(); i++) {
      Sequence sequence = batch.sequence(i);
      // The token of a request that has been taken back meanwhile is lost.
      if (sequence.state != Sequence.State.RUNNING || !batch.yieldsToken(i)) {
        continue;
      }
      sequence.outputs++;
      if (settings.asynchronous()) {
        sequence.placeholders--;
      }
      listener.token(sequence);
      if (ends(sequence)) {
        listener.finishing(sequence);
        // The last token's KV is never written.
        memory.storeAndRelease(sequence.paged(), sequence.tokens() - 1);
        sequence.state = Sequence.State.FINISHED;
      } else if (batch.computedBefore(i) < sequence.contextTokens) {
        memory.store(sequence.paged(), sequence.contextTokens, false);
      }
    }
  }

  private boolean ends(Sequence sequence) {
    return sequence.outputs >= sequence.stopAfter
        || sequence.outputs >= sequence.maxOutputTokens
        || sequence.tokens() >= settings.maxModelLength();
  }

  /** Whether nothing but decodes of the {@code count} running requests can come next. */
  boolean decodesOnly(int count) {
    if (chunked != null || lastDecodeCount != count || !(batchIsFull || waiting.isEmpty())) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (running.get(i).state != Sequence.State.RUNNING) {
        return false;
      }
    }
    return true;
  }

  @Override
  public DecodeSegment segment() {
    return segment;
  }

  @Override
  public int waitingCount() {
    return waiting.size();
  }

  @Override
  public void forEachOpen(Consumer<Sequence> action) {
    for (int i = 0; i < running.size(); i++) {
      acceptRunning(running.get(i), action);
    }
    for (int i = 0; i < lastPrefillCount; i++) {
      if (chunked == null || chunked.sequence != lastPrefill[i]) {
        acceptRunning(lastPrefill[i], action);
      }
    }
    if (chunked != null) {
      action.accept(chunked.sequence);
    }
    waiting.forEach(action);
  }

  private static void acceptRunning(Sequence sequence, Consumer<Sequence> action) {
    if (sequence.state == Sequence.State.RUNNING) {
      action.accept(sequence);
    }
  }

  @Override
  public int usedBlocks() {
    return memory.usedPages();
  }

  @Override
  public int usableBlocks() {
    return memory.totalPages();
  }
}
