package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockPool;
import io.orrery.engine.cache.PoolListener;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's scheduler (V1), decision for decision, without time: {@link #schedule} forms the next
 * step, {@link #update} takes in its output.
 *
 * <p>Running requests come first, in admission order, then waiting ones, under one token budget; a
 * request that cannot get blocks preempts the last running one (or the least urgent) and is
 * recomputed later; waiting is strict: a head that does not fit holds up all behind it, and nothing
 * is admitted in a step that preempted. Blocks get their keys when they are scheduled, so a later
 * request of the same step can hit them. With asynchronous scheduling a step is scheduled before
 * the output of the one before is known.
 *
 * <p>Agreement with recordings of the real scheduler is shown by {@code orrery conformance}.
 */
public final class VllmScheduler {
  final SchedulerSettings settings;
  final BlockPool pool;
  final WaitingQueue waiting;
  final int blockSize;
  private final SchedulerListener listener;
  private final int watermarkBlocks;

  final RunningList running = new RunningList();

  private int[] hits = new int[64];
  private boolean headBlockedForBlocks;
  private final PrefixCacheCounters counters = new PrefixCacheCounters();

  public VllmScheduler(
      SchedulerSettings settings, SchedulerListener listener, PoolListener poolListener) {
    this.settings = settings;
    this.listener = listener;
    this.blockSize = settings.blockSize();
    this.watermarkBlocks = settings.watermarkBlocks();
    this.pool =
        new BlockPool(
            settings.blocks(), settings.unkeyedToFront() && settings.prefixCaching(), poolListener);
    this.waiting = new WaitingQueue(settings.priorities());
  }

  /** Takes in a new request. */
  public void add(Sequence sequence) {
    sequence.state = Sequence.State.WAITING;
    waiting.add(sequence);
    headBlockedForBlocks &= waiting.first() != sequence;
  }

  /**
   * Ends a request at once, wherever it stands; a token in flight is dropped. Does nothing if it
   * has ended.
   */
  public void abort(Sequence sequence) {
    if (sequence.state == Sequence.State.FINISHED) {
      return;
    }
    if (sequence.state == Sequence.State.RUNNING) {
      running.remove(sequence);
    } else {
      waiting.remove(sequence);
    }
    release(sequence);
    sequence.state = Sequence.State.FINISHED;
  }

  /**
   * Forms the next step.
   *
   * @param batch is cleared and filled; may stay empty
   */
  public void schedule(Batch batch) {
    batch.clear();
    headBlockedForBlocks = false;
    int budget = settings.maxBatchedTokens();
    int index = 0;
    while (index < running.size() && budget > 0) {
      Sequence sequence = running.get(index);
      int tokens = runningTokens(sequence, budget);
      if (tokens <= 0) {
        index++;
        continue;
      }
      boolean allocated;
      while (!(allocated = allocate(sequence, tokens))) {
        batch.setPreempted();
        Sequence victim;
        if (settings.priorities()) {
          victim = running.leastUrgent();
          running.remove(victim);
          int refund = batch.remove(victim);
          if (refund >= 0) {
            budget += refund;
            index--;
          }
        } else {
          victim = running.removeLast();
        }
        preempt(victim);
        if (victim == sequence) {
          break;
        }
      }
      if (!allocated) {
        break;
      }
      batch.add(sequence, Batch.Kind.RUNNING, sequence.computed, tokens);
      budget -= tokens;
      index++;
    }
    if (!batch.preempted()) {
      admit(batch, budget);
    }
    afterSchedule(batch);
  }

  /** New tokens of a running request, before blocks are asked for; 0 or less skips it. */
  private int runningTokens(Sequence sequence, int budget) {
    if (sequence.placeholders > 0
        && sequence.outputs + sequence.placeholders >= sequence.maxOutputTokens) {
      return 0; // asynchronous: the last token is already on its way
    }
    int tokens = sequence.tokens() + sequence.placeholders - sequence.computed;
    if (settings.longPrefillThreshold() > 0) {
      tokens = Math.min(tokens, settings.longPrefillThreshold());
    }
    tokens = Math.min(tokens, budget);
    return Math.min(tokens, settings.maxModelLength() - 1 - sequence.computed);
  }

  private void admit(Batch batch, int budget) {
    while (!waiting.isEmpty() && budget > 0 && running.size() < settings.maxSequences()) {
      Sequence sequence = waiting.first();
      int hitBlocks = lookUp(sequence);
      int hitTokens = hitBlocks * blockSize;
      int tokens = sequence.tokens() - hitTokens;
      if (settings.longPrefillThreshold() > 0) {
        tokens = Math.min(tokens, settings.longPrefillThreshold());
      }
      if (!settings.chunkedPrefill() && tokens > budget) {
        return;
      }
      tokens = Math.min(tokens, budget);
      sequence.lastLookUpBlocks = hitBlocks;
      if (!allocateWaiting(sequence, tokens, hitBlocks)) {
        headBlockedForBlocks = true;
        return;
      }
      waiting.removeFirst();
      if (!settings.countEveryLookUp()) {
        count(sequence, hitTokens);
      }
      boolean resumed = sequence.state == Sequence.State.PREEMPTED;
      sequence.state = Sequence.State.RUNNING;
      sequence.computed = hitTokens;
      sequence.hitTokens = hitTokens;
      running.add(sequence);
      batch.add(sequence, resumed ? Batch.Kind.RESUMED : Batch.Kind.NEW, hitTokens, tokens);
      listener.admitted(sequence, hitTokens);
      budget -= tokens;
    }
  }

  /**
   * Finds the leading blocks of a waiting request into {@link #hits}; the last known token is never
   * found.
   */
  private int lookUp(Sequence sequence) {
    int found = 0;
    boolean reads = settings.prefixCaching() && !sequence.skipCacheRead;
    if (reads) {
      int limit = (sequence.tokens() - 1) / blockSize;
      if (sequence.state != Sequence.State.PREEMPTED) {
        limit = Math.min(limit, sequence.firstLookUpLimit);
      }
      if (limit > hits.length) {
        hits = Arrays.copyOf(hits, Math.max(limit, hits.length * 2));
      }
      found = sequence.keys.lookUp(pool, limit, hits);
    }
    if (settings.countEveryLookUp()) {
      count(sequence, found * blockSize);
    }
    listener.lookedUp(sequence, found * blockSize);
    return found;
  }

  private void count(Sequence sequence, int hitTokens) {
    if (settings.prefixCaching() && !sequence.skipCacheRead) {
      counters.add(sequence.tokens(), hitTokens, sequence.preemptions > 0);
    }
  }

  private boolean allocateWaiting(Sequence sequence, int tokens, int hitBlocks) {
    int reserve = running.size() > 0 ? watermarkBlocks : 0;
    if (settings.reserveFullPrompt()) {
      int all = Math.min(sequence.tokens(), settings.maxModelLength());
      if (blocksNeeded(sequence, all, hitBlocks) > pool.freeBlocks() - reserve) {
        listener.allocationFailed(sequence);
        return false;
      }
    }
    if (!fits(sequence, tokens, hitBlocks, reserve)) {
      return false;
    }
    listener.admitting(sequence, hitBlocks * blockSize);
    grant(sequence, tokens, hitBlocks);
    return true;
  }

  /** Gets the blocks for {@code tokens} more tokens of a running request, or none at all. */
  private boolean allocate(Sequence sequence, int tokens) {
    if (!fits(sequence, tokens, 0, 0)) {
      return false;
    }
    grant(sequence, tokens, 0);
    return true;
  }

  /** Free blocks among the hits count as needed: using them takes them out of the queue. */
  private boolean fits(Sequence sequence, int tokens, int hitBlocks, int reserve) {
    int slots = slots(sequence, tokens, hitBlocks);
    if (blocksNeeded(sequence, slots, hitBlocks) > pool.freeBlocks() - reserve) {
      listener.allocationFailed(sequence);
      return false;
    }
    return true;
  }

  /** Tokens that have a place once {@code tokens} more follow those computed and the hit. */
  private int slots(Sequence sequence, int tokens, int hitBlocks) {
    int before = sequence.computed + hitBlocks * blockSize;
    return Math.min(before + tokens, settings.maxModelLength());
  }

  private void grant(Sequence sequence, int tokens, int hitBlocks) {
    if (hitBlocks > 0) {
      for (int i = 0; i < hitBlocks; i++) {
        pool.touch(hits[i]);
      }
      sequence.addBlocks(hits, hitBlocks);
      sequence.keyedBlocks = hitBlocks;
    }
    int total = blocksFor(slots(sequence, tokens, hitBlocks));
    while (sequence.blockCount < total) {
      sequence.addBlock(pool.take());
    }
    int computed = sequence.computed + hitBlocks * blockSize + tokens;
    assignKeys(sequence, Math.min(computed, sequence.tokens()));
  }

  private int blocksNeeded(Sequence sequence, int tokens, int hitBlocks) {
    int fresh = Math.max(0, blocksFor(tokens) - hitBlocks - sequence.blockCount);
    for (int i = 0; i < hitBlocks; i++) {
      if (pool.references(hits[i]) == 0) {
        fresh++;
      }
    }
    return fresh;
  }

  private int blocksFor(int tokens) {
    return (tokens + blockSize - 1) / blockSize;
  }

  /** Gives keys to the full blocks among the first {@code tokens} tokens. */
  void assignKeys(Sequence sequence, int tokens) {
    if (!settings.prefixCaching()) {
      return;
    }
    int full = tokens / blockSize;
    while (sequence.keyedBlocks < full) {
      int position = sequence.keyedBlocks++;
      pool.assign(sequence.blocks[position], sequence.keys.keyAt(position));
    }
  }

  private void afterSchedule(Batch batch) {
    for (int i = 0; i < batch.size(); i++) {
      Sequence sequence = batch.sequence(i);
      sequence.computed += batch.newTokens(i);
      boolean yields = sequence.computed >= sequence.tokens() + sequence.placeholders;
      batch.setYieldsToken(i, yields);
      if (yields && settings.asynchronous()) {
        sequence.placeholders++;
      }
    }
  }

  /** Takes in the output of a step: tokens, finishes, and the blocks these set free. */
  public void update(Batch batch) {
    boolean finished = false;
    for (int i = 0; i < batch.size(); i++) {
      Sequence sequence = batch.sequence(i);
      if (!batch.yieldsToken(i) || sequence.state == Sequence.State.FINISHED) {
        continue;
      }
      sequence.outputs++;
      if (settings.asynchronous()) {
        sequence.placeholders--;
        if (sequence.state == Sequence.State.RUNNING) {
          assignKeys(sequence, sequence.computed - sequence.placeholders);
        }
      }
      listener.token(sequence);
      if (ends(sequence)) {
        finish(sequence);
        finished = true;
      }
    }
    if (finished) {
      running.dropEnded();
    }
  }

  private boolean ends(Sequence sequence) {
    return sequence.outputs >= sequence.stopAfter
        || sequence.outputs >= sequence.maxOutputTokens
        || sequence.tokens() >= settings.maxModelLength();
  }

  private void finish(Sequence sequence) {
    listener.finishing(sequence);
    if (sequence.state == Sequence.State.PREEMPTED) {
      waiting.remove(sequence);
    }
    release(sequence);
    sequence.state = Sequence.State.FINISHED;
  }

  private void preempt(Sequence victim) {
    listener.preempted(victim, victim.computed);
    victim.lostTokens = Math.max(victim.lostTokens, victim.computed);
    release(victim);
    victim.computed = 0;
    victim.preemptions++;
    victim.state = Sequence.State.PREEMPTED;
    waiting.putBack(victim);
  }

  private void release(Sequence sequence) {
    headBlockedForBlocks = false;
    pool.release(sequence.blocks, sequence.blockCount);
    sequence.blockCount = 0;
    sequence.keyedBlocks = 0;
  }

  /** Running requests, including those that got nothing in the last step. */
  public int runningCount() {
    return running.size();
  }

  public Sequence running(int i) {
    return running.get(i);
  }

  /** Waiting requests, preempted ones among them. */
  public int waitingCount() {
    return waiting.size();
  }

  /** The {@code i}-th waiting request in the order of admission. */
  public Sequence waiting(int i) {
    return waiting.get(i);
  }

  /**
   * Whether the next {@link #schedule} is certain to admit nothing as long as every running request
   * gets its token: no request waits, no seat or budget is left, or the head found too few blocks
   * and none has been set free since.
   */
  boolean admissionIsBlocked() {
    return waiting.isEmpty()
        || running.size() >= settings.maxSequences()
        || running.size() >= settings.maxBatchedTokens()
        || headBlockedForBlocks;
  }

  public BlockPool pool() {
    return pool;
  }

  /** KV blocks that requests hold. */
  public int usedBlocks() {
    return pool.usableBlocks() - pool.freeBlocks();
  }

  /** Prefix cache statistics as the engine itself reports them. */
  public PrefixCacheCounters counters() {
    return counters;
  }

  @Nullable Sequence head() {
    return waiting.isEmpty() ? null : waiting.first();
  }
}
