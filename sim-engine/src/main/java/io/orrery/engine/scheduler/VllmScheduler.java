package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockPool;
import io.orrery.engine.cache.PoolListener;

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
public final class VllmScheduler extends BlockScheduler {
  private final int watermarkBlocks;
  private final int lookAheadTokens;
  private final DraftAcceptance acceptance;
  private final PrefixCacheCounters counters = new PrefixCacheCounters();

  public VllmScheduler(
      SchedulerSettings settings, SchedulerListener listener, PoolListener poolListener) {
    this(settings, 0, listener, poolListener);
  }

  /**
   * @param seed of the draws that decide which drafted tokens are accepted
   */
  public VllmScheduler(
      SchedulerSettings settings,
      long seed,
      SchedulerListener listener,
      PoolListener poolListener) {
    super(
        settings,
        new BlockPool(
            settings.blocks(), settings.unkeyedToFront() && settings.prefixCaching(), poolListener),
        listener,
        settings.priorities(),
        true);
    this.watermarkBlocks = settings.watermarkBlocks();
    this.lookAheadTokens = settings.speculation().lookAheadTokens();
    this.acceptance = new DraftAcceptance(settings.speculation(), seed);
  }

  @Override
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
    if (sequence.placeholders > 0 && sequence.outputs + 1 >= sequence.maxOutputTokens) {
      return 0; // asynchronous: the last token is already on its way
    }
    int tokens = sequence.tokens() + sequence.drafts + sequence.placeholders - sequence.computed;
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

  @Override
  int lookUp(Sequence sequence) {
    int found = super.lookUp(sequence);
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
    if (!fits(sequence, tokens, hitBlocks, 0, reserve)) {
      return false;
    }
    listener.admitting(sequence, hitBlocks * blockSize);
    grant(sequence, tokens, hitBlocks, 0);
    return true;
  }

  /** Gets the blocks for {@code tokens} more tokens of a running request, or none at all. */
  private boolean allocate(Sequence sequence, int tokens) {
    if (!fits(sequence, tokens, 0, lookAheadTokens, 0)) {
      return false;
    }
    grant(sequence, tokens, 0, lookAheadTokens);
    return true;
  }

  /** Free blocks among the hits count as needed: using them takes them out of the queue. */
  private boolean fits(Sequence sequence, int tokens, int hitBlocks, int ahead, int reserve) {
    int slots = slots(sequence, tokens, hitBlocks, ahead);
    if (blocksNeeded(sequence, slots, hitBlocks) > pool.freeBlocks() - reserve) {
      listener.allocationFailed(sequence);
      return false;
    }
    return true;
  }

  /**
   * Tokens that have a place once {@code tokens} more follow those computed and the hit, and {@code
   * ahead} places are kept behind them.
   */
  private int slots(Sequence sequence, int tokens, int hitBlocks, int ahead) {
    int before = sequence.computed + hitBlocks * blockSize;
    return Math.min(before + tokens + ahead, settings.maxModelLength());
  }

  private void grant(Sequence sequence, int tokens, int hitBlocks, int ahead) {
    take(sequence, slots(sequence, tokens, hitBlocks, ahead), hitBlocks);
    int computed = sequence.computed + hitBlocks * blockSize + tokens;
    assignKeys(sequence, Math.min(computed, sequence.tokens()));
  }

  @Override
  public void update(Batch batch) {
    boolean finished = false;
    for (int i = 0; i < batch.size(); i++) {
      Sequence sequence = batch.sequence(i);
      if (!batch.yieldsToken(i) || sequence.state == Sequence.State.FINISHED) {
        continue;
      }
      int tokens = takeIn(sequence, batch.drafts(i));
      for (int token = 0; token < tokens; token++) {
        sequence.outputs++;
        listener.token(sequence);
      }
      if (ends(sequence)) {
        finish(sequence);
        finished = true;
      }
    }
    if (finished) {
      running.dropEnded();
    }
  }

  /**
   * Takes back what was rejected of a request's drafted tokens, and gives keys to the blocks that
   * its output has completed.
   *
   * @return tokens that it gets
   */
  private int takeIn(Sequence sequence, int drafts) {
    int tokens = 1;
    if (drafts > 0) {
      int accepted = acceptance.accepted(sequence, drafts);
      if (sequence.state == Sequence.State.RUNNING) {
        sequence.computed -= drafts - accepted;
      }
      tokens = Math.min(1 + accepted, tokensToEnd(sequence));
      listener.verified(sequence, drafts, tokens - 1);
    }
    if (settings.asynchronous()) {
      sequence.placeholders -= 1 + drafts;
      if (sequence.state == Sequence.State.RUNNING) {
        int known = sequence.tokens() + tokens;
        assignKeys(sequence, Math.min(known, sequence.computed - sequence.placeholders));
      }
    }
    return tokens;
  }

  private int tokensToEnd(Sequence sequence) {
    int outputs = Math.min(sequence.stopAfter, sequence.maxOutputTokens) - sequence.outputs;
    return Math.min(outputs, settings.maxModelLength() - sequence.tokens());
  }

  /** Prefix cache statistics as the engine itself reports them. */
  public PrefixCacheCounters counters() {
    return counters;
  }
}
