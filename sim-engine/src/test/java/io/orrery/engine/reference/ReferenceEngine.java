package io.orrery.engine.reference;

/** An engine's scheduler and cache as the stepwise worker drives them. */
interface ReferenceEngine {
  void add(ReferenceRequest request);

  /** Forms the next step. */
  ReferenceScheduler.Batch schedule();

  /** Takes in the outputs of a step. */
  void update(ReferenceScheduler.Batch batch);

  /** Whether a block's content can be found. */
  boolean holds(long key);

  /** Blocks that requests hold. */
  int usedBlocks();

  /** Requests that have not been admitted, or no longer are. */
  int waitingCount();
}
