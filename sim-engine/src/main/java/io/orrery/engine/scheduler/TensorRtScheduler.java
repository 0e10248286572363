package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockPool;
import io.orrery.engine.cache.PoolListener;

/**
 * TensorRT-LLM's scheduler, as published: its capacity scheduler ({@code capacityScheduler.cpp}),
 * its micro-batch scheduler and its block reuse (Apache-2.0), without time.
 *
 * <ul>
 *   <li>A step computes the decodes first, in the order of admission, then contexts: those under
 *       way, then waiting ones, under one token budget. Without chunking a context that does not
 *       fit waits; with chunking a part of it is computed, a whole number of blocks.
 *   <li>All blocks of a context are taken when it begins.
 *   <li>{@link EngineRules.CapacityPolicy#GUARANTEED_NO_EVICT}: a request is admitted only if the
 *       blocks for its prompt and its whole output are free beside what the running ones may still
 *       need. Nobody ever loses a block.
 *   <li>{@link EngineRules.CapacityPolicy#MAX_UTILIZATION}: a request is admitted if its context
 *       fits now. When a decode finds no block, the newest request is paused: its blocks are stored
 *       for reuse and released, and it is computed again later. Nothing is admitted in such a step.
 *   <li>Blocks can be found once their context has been computed, those of an output once its
 *       request ends. What is held already is not stored a second time.
 * </ul>
 */
public final class TensorRtScheduler extends BlockScheduler {
  private final boolean guaranteed;

  /** Of the running requests: blocks that they may still take up to their ends. */
  private int reservedBlocks;

  public TensorRtScheduler(
      SchedulerSettings settings,
      EngineRules.TensorRt rules,
      SchedulerListener listener,
      PoolListener poolListener) {
    super(
        settings,
        new BlockPool(settings.blocks() + 1, false, poolListener),
        listener,
        false,
        false);
    guaranteed = rules.capacity() == EngineRules.CapacityPolicy.GUARANTEED_NO_EVICT;
  }

  @Override
  public void schedule(Batch batch) {
    batch.clear();
    headBlockedForBlocks = false;
    int budget = settings.maxBatchedTokens();
    budget -= scheduleDecodes(batch, budget);
    budget -= continueContexts(batch, budget);
    if (!batch.preempted()) {
      admit(batch, budget);
    }
    afterSchedule(batch);
  }

  private int scheduleDecodes(Batch batch, int budget) {
    int tokens = 0;
    for (int i = 0; i < running.size() && tokens < budget; i++) {
      Sequence sequence = running.get(i);
      boolean lastIsOnItsWay =
          sequence.placeholders > 0
              && sequence.outputs + sequence.placeholders >= sequence.maxOutputTokens;
      if (isInContext(sequence) || lastIsOnItsWay) {
        continue;
      }
      if (!grow(batch, sequence)) {
        break;
      }
      batch.add(sequence, Batch.Kind.RUNNING, sequence.computed, 1);
      tokens++;
    }
    return tokens;
  }

  private static boolean isInContext(Sequence sequence) {
    return sequence.computed < sequence.contextTokens;
  }

  /** Gets the block for one more token, if need be from the newest request. */
  private boolean grow(Batch batch, Sequence sequence) {
    if (blocksFor(sequence.computed + 1) <= sequence.blockCount) {
      return true;
    }
    while (pool.freeBlocks() == 0) {
      listener.allocationFailed(sequence);
      batch.setPreempted();
      Sequence victim = running.removeLast();
      pause(victim);
      if (victim == sequence) {
        return false;
      }
    }
    sequence.addBlock(pool.take());
    return true;
  }

  private void pause(Sequence victim) {
    if (!isInContext(victim)) {
      assignKeys(victim, victim.computed - victim.placeholders);
    }
    preempt(victim);
  }

  private int continueContexts(Batch batch, int budget) {
    int left = budget;
    for (int i = 0; i < running.size(); i++) {
      Sequence sequence = running.get(i);
      if (!isInContext(sequence)) {
        continue;
      }
      int tokens = part(sequence.contextTokens - sequence.computed, left);
      if (tokens == 0) {
        break;
      }
      compute(batch, sequence, Batch.Kind.RUNNING, tokens);
      left -= tokens;
    }
    return budget - left;
  }

  /** How many of a context's remaining tokens a step computes. */
  private int part(int remaining, int budget) {
    if (remaining <= budget) {
      return remaining;
    }
    return settings.chunkedPrefill() ? budget / blockSize * blockSize : 0;
  }

  private void compute(Batch batch, Sequence sequence, Batch.Kind kind, int tokens) {
    batch.add(sequence, kind, sequence.computed, tokens);
    listener.computing(sequence, sequence.computed, sequence.computed + tokens);
  }

  private void admit(Batch batch, int budget) {
    int left = budget;
    countReserved();
    while (!waiting.isEmpty() && left > 0 && running.size() < settings.maxSequences()) {
      Sequence sequence = waiting.first();
      int hitBlocks = lookUp(sequence);
      int hitTokens = hitBlocks * blockSize;
      listener.lookedUp(sequence, hitTokens);
      int tokens = part(sequence.tokens() - hitTokens, left);
      if (tokens == 0) {
        // Beside as many decodes it will not fit later, either.
        headBlockedForBlocks = batch.totalTokens() == running.size();
        return;
      }
      if (!hasCapacity(sequence, hitBlocks)) {
        listener.allocationFailed(sequence);
        headBlockedForBlocks = true;
        return;
      }
      listener.admitting(sequence, hitTokens);
      waiting.removeFirst();
      Batch.Kind kind =
          sequence.state == Sequence.State.PREEMPTED ? Batch.Kind.RESUMED : Batch.Kind.NEW;
      sequence.state = Sequence.State.RUNNING;
      sequence.computed = hitTokens;
      sequence.hitTokens = hitTokens;
      sequence.contextTokens = sequence.tokens();
      take(sequence, sequence.contextTokens, hitBlocks);
      reservedBlocks += blocksToItsEnd(sequence);
      running.add(sequence);
      compute(batch, sequence, kind, tokens);
      listener.admitted(sequence, hitTokens);
      left -= tokens;
    }
  }

  private void countReserved() {
    reservedBlocks = 0;
    for (int i = 0; guaranteed && i < running.size(); i++) {
      reservedBlocks += blocksToItsEnd(running.get(i));
    }
  }

  private int blocksToItsEnd(Sequence sequence) {
    return Math.max(0, blocksFor(longest(sequence)) - sequence.blockCount);
  }

  private static int longest(Sequence sequence) {
    return sequence.promptTokens + sequence.maxOutputTokens;
  }

  private boolean hasCapacity(Sequence sequence, int hitBlocks) {
    if (guaranteed) {
      int needed = blocksNeeded(sequence, longest(sequence), hitBlocks);
      return needed <= pool.freeBlocks() - reservedBlocks;
    }
    return blocksNeeded(sequence, sequence.tokens(), hitBlocks) <= pool.freeBlocks();
  }

  @Override
  void assignKeys(Sequence sequence, int tokens) {
    if (!settings.prefixCaching()) {
      return;
    }
    int full = tokens / blockSize;
    while (sequence.keyedBlocks < full) {
      int position = sequence.keyedBlocks++;
      long key = sequence.keys.keyAt(position);
      if (pool.lookUp(key) == 0) {
        pool.assign(sequence.blocks[position], key);
        // The head of the queue may find more than it did.
        headBlockedForBlocks = false;
      }
    }
  }

  @Override
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
      }
      boolean endedContext = batch.computedBefore(i) < sequence.contextTokens;
      if (endedContext && sequence.state == Sequence.State.RUNNING) {
        assignKeys(sequence, sequence.contextTokens - 1);
      }
      listener.token(sequence);
      if (ends(sequence)) {
        if (sequence.state == Sequence.State.RUNNING) {
          assignKeys(sequence, sequence.tokens() - 1);
        }
        finish(sequence);
        finished = true;
      }
    }
    if (finished) {
      running.dropEnded();
    }
  }
}
