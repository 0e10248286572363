package io.orrery.engine.scheduler;

/** Hears what a scheduler decides, in order. */
public interface SchedulerListener {
  /** A listener that ignores everything. */
  SchedulerListener NONE = new SchedulerListener() {};

  /** A waiting request was looked up in the prefix cache; called at each attempt. */
  default void lookedUp(Sequence sequence, int hitTokens) {}

  /** There were not enough blocks. */
  default void allocationFailed(Sequence sequence) {}

  /** The request is about to be admitted to a step; its blocks have no keys yet. */
  default void admitting(Sequence sequence, int hitTokens) {}

  /** The request was admitted to a step, for the first time or again. */
  default void admitted(Sequence sequence, int hitTokens) {}

  /**
   * The step being scheduled computes the request's tokens from {@code from} up to {@code to}, and
   * nobody can find them before they are stored. Not called where blocks can be found as soon as
   * they are scheduled.
   */
  default void computing(Sequence sequence, int from, int to) {}

  /** The request lost its blocks; it had computed {@code computedTokens}. */
  default void preempted(Sequence sequence, int computedTokens) {}

  /** The request got an output token at the end of the current step. */
  default void token(Sequence sequence) {}

  /** A step verified {@code drafts} drafted tokens of the request and accepted so many. */
  default void verified(Sequence sequence, int drafts, int accepted) {}

  /** The request ended; its blocks are still held. */
  default void finishing(Sequence sequence) {}

  /** The request is given up for want of memory; its blocks are still held. */
  default void failing(Sequence sequence) {}
}
