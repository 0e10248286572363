package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockPool;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the schedulers of vLLM and TensorRT-LLM have in common: running requests in the order of
 * their admission, waiting ones in a queue, and a pool of blocks that are taken just in time and
 * found again by their keys.
 */
abstract class BlockScheduler implements Scheduler {
  final SchedulerSettings settings;
  final BlockPool pool;
  final WaitingQueue waiting;
  final int blockSize;
  final SchedulerListener listener;
  final RunningList running = new RunningList();
  private final BlockDecodeSegment segment;

  /** The blocks that the last look-up found. */
  int[] hits = new int[64];

  /** Whether the head of the queue found too few blocks, and none has been set free since. */
  boolean headBlockedForBlocks;

  BlockScheduler(
      SchedulerSettings settings,
      BlockPool pool,
      SchedulerListener listener,
      boolean priorities,
      boolean keysWhileDecoding) {
    this.settings = settings;
    this.listener = listener;
    this.blockSize = settings.blockSize();
    this.pool = pool;
    this.waiting = new WaitingQueue(priorities);
    this.segment = new BlockDecodeSegment(this, keysWhileDecoding);
  }

  @Override
  public void add(Sequence sequence) {
    sequence.state = Sequence.State.WAITING;
    waiting.add(sequence);
    headBlockedForBlocks &= waiting.first() != sequence;
  }

  @Override
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
   * Finds the leading blocks of a waiting request into {@link #hits}; the last known token is never
   * found. {@link Sequence#residentTokens} is what is there, the result what can be used of it.
   */
  int lookUp(Sequence sequence) {
    int found = 0;
    if (settings.prefixCaching() && !sequence.skipCacheRead) {
      int limit = (sequence.tokens() - 1) / blockSize;
      if (sequence.state != Sequence.State.PREEMPTED) {
        limit = Math.min(limit, sequence.firstLookUpLimit);
      }
      if (limit > hits.length) {
        hits = Arrays.copyOf(hits, Math.max(limit, hits.length * 2));
      }
      found = sequence.keys.lookUp(pool, limit, hits);
    }
    sequence.residentTokens = found * blockSize;
    return usable(found);
  }

  /** Of so many blocks found, those up to where the model can go on. */
  int usable(int found) {
    // A draft head needs the hidden states of the last block, which nobody keeps.
    boolean drops = found > 0 && settings.speculation().draftHead();
    return settings.state().usable((drops ? found - 1 : found) * blockSize) / blockSize;
  }

  /**
   * Free blocks that an admission takes out of the queue: those for {@code tokens} tokens, those
   * among the hits, and those of the state.
   */
  int blocksNeeded(Sequence sequence, int tokens, int hitBlocks) {
    int fresh = Math.max(0, blocksFor(tokens) - hitBlocks - sequence.blockCount);
    for (int i = 0; i < hitBlocks; i++) {
      if (pool.references(hits[i]) == 0) {
        fresh++;
      }
    }
    return fresh + settings.state().blocksPerSequence() - sequence.stateBlockCount;
  }

  /** Takes the hits, the state's blocks and those for {@code tokens} tokens in all. */
  void take(Sequence sequence, int tokens, int hitBlocks) {
    if (hitBlocks > 0) {
      for (int i = 0; i < hitBlocks; i++) {
        pool.touch(hits[i]);
      }
      sequence.addBlocks(hits, hitBlocks);
      sequence.keyedBlocks = hitBlocks;
    }
    while (sequence.stateBlockCount < settings.state().blocksPerSequence()) {
      sequence.addStateBlock(pool.take());
    }
    sequence.takeBlocks(pool, blocksFor(tokens));
  }

  int blocksFor(int tokens) {
    return (tokens + blockSize - 1) / blockSize;
  }

  /** Gives keys to the full blocks among the first {@code tokens} tokens. */
  void assignKeys(Sequence sequence, int tokens) {
    if (!settings.prefixCaching()) {
      return;
    }
    int full = tokens / blockSize;
    if (sequence.keyedBlocks < full) {
      pool.assign(sequence.blocks, sequence.keys, sequence.keyedBlocks, full);
      sequence.keyedBlocks = full;
    }
  }

  /** Counts what a step computes, and notes which requests its end gives a token. */
  void afterSchedule(Batch batch) {
    for (int i = 0; i < batch.size(); i++) {
      Sequence sequence = batch.sequence(i);
      sequence.computed += batch.newTokens(i);
      int drafts = sequence.computed - sequence.tokens() - sequence.placeholders;
      boolean yields = drafts >= 0;
      batch.setYieldsToken(i, yields);
      if (yields) {
        batch.setDrafts(i, drafts);
        sequence.drafts = settings.speculation().draftTokens();
        if (settings.asynchronous()) {
          sequence.placeholders += 1 + drafts;
        }
      }
    }
  }

  boolean ends(Sequence sequence) {
    return sequence.outputs >= sequence.stopAfter
        || sequence.outputs >= sequence.maxOutputTokens
        || sequence.tokens() >= settings.maxModelLength();
  }

  void finish(Sequence sequence) {
    listener.finishing(sequence);
    if (sequence.state == Sequence.State.PREEMPTED) {
      waiting.remove(sequence);
    }
    release(sequence);
    sequence.state = Sequence.State.FINISHED;
  }

  /** Takes all blocks from a running request and puts it back into the queue. */
  void preempt(Sequence victim) {
    listener.preempted(victim, victim.computed);
    victim.lostTokens = Math.max(victim.lostTokens, victim.computed);
    release(victim);
    victim.computed = 0;
    victim.drafts = 0;
    victim.preemptions++;
    victim.state = Sequence.State.PREEMPTED;
    waiting.putBack(victim);
  }

  void release(Sequence sequence) {
    headBlockedForBlocks = false;
    pool.release(sequence.blocks, sequence.blockCount);
    sequence.blockCount = 0;
    sequence.keyedBlocks = 0;
    if (sequence.stateBlockCount > 0) {
      pool.release(sequence.stateBlocks, sequence.stateBlockCount);
      sequence.stateBlockCount = 0;
    }
  }

  /** Running requests, including those that got nothing in the last step. */
  public int runningCount() {
    return running.size();
  }

  public Sequence running(int i) {
    return running.get(i);
  }

  /** Waiting requests, preempted ones among them. */
  @Override
  public int waitingCount() {
    return waiting.size();
  }

  /** The {@code i}-th waiting request in the order of admission. */
  public Sequence waiting(int i) {
    return waiting.get(i);
  }

  @Override
  public void forEachOpen(Consumer<Sequence> action) {
    for (int i = 0; i < running.size(); i++) {
      action.accept(running.get(i));
    }
    for (int i = 0; i < waiting.size(); i++) {
      action.accept(waiting.get(i));
    }
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

  @Nullable Sequence head() {
    return waiting.isEmpty() ? null : waiting.first();
  }

  public BlockPool pool() {
    return pool;
  }

  @Override
  public int usedBlocks() {
    return pool.usableBlocks() - pool.freeBlocks();
  }

  @Override
  public int usableBlocks() {
    return pool.usableBlocks();
  }

  @Override
  public DecodeSegment segment() {
    return segment;
  }
}
