package io.orrery.engine.scheduler;

import io.orrery.engine.cache.PoolListener;
import java.util.function.Consumer;

/**
 * What one worker's engine decides, without time: {@link #schedule} forms the next step, {@link
 * #update} takes in its output. With asynchronous scheduling a step is scheduled before the output
 * of the one before is taken in.
 */
public interface Scheduler {
  /**
   * The scheduler that the settings ask for.
   *
   * @param keyTokens tokens of a block that the sequences' keys name, a multiple of the block size;
   *     larger than it only for engines whose {@link SchedulerSettings#identityBlockSize} says so
   * @param seed of what it draws
   * @param listener hears what it decides
   * @param poolListener hears what happens to the keys of its cache
   */
  static Scheduler of(
      SchedulerSettings settings,
      int keyTokens,
      long seed,
      SchedulerListener listener,
      PoolListener poolListener) {
    EngineRules rules = settings.engine();
    if (rules instanceof EngineRules.TensorRt tensorRt) {
      return new TensorRtScheduler(settings, tensorRt, listener, poolListener);
    }
    if (rules instanceof EngineRules.Sglang sglang) {
      int pagesPerKey = keyTokens / settings.blockSize();
      return new SglangScheduler(settings, sglang, pagesPerKey, listener, poolListener);
    }
    return new VllmScheduler(settings, seed, listener, poolListener);
  }

  /** Takes in a new request. */
  void add(Sequence sequence);

  /**
   * Ends a request at once, wherever it stands; a token in flight is dropped. Does nothing if it
   * has ended.
   */
  void abort(Sequence sequence);

  /**
   * Forms the next step.
   *
   * @param batch is cleared and filled; may stay empty
   */
  void schedule(Batch batch);

  /** Takes in the output of a step: tokens, finishes, and the blocks these set free. */
  void update(Batch batch);

  /** Decode-only steps in bulk. One instance for the scheduler's life. */
  DecodeSegment segment();

  /** Requests that have not ended: those that run in their order, then those that wait. */
  void forEachOpen(Consumer<Sequence> action);

  /** Requests in the queue. */
  int waitingCount();

  /** KV blocks that requests hold; blocks kept for reuse alone do not count. */
  int usedBlocks();

  /** KV blocks there are. */
  int usableBlocks();
}
