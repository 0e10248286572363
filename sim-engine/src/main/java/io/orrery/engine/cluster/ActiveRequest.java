package io.orrery.engine.cluster;

import io.orrery.engine.scheduler.Sequence;

/**
 * A request on a worker: its sequence in the scheduler, and what the ledger noted when it was
 * placed.
 */
final class ActiveRequest extends Sequence {
  /** Tokens of a page of its worker's cache: hits and the tail are measured in them. */
  int pageTokens;

  /**
   * Leading tokens of the prompt that have an identity and lie before its tail: where hits are
   * possible.
   */
  int reusableTokens;

  /** The blocks that hold them; the last one may reach into the tail. */
  int reusableBlocks;

  /** Of these, the leading ones that its worker held when it was placed. */
  int reachHere;

  /** The leading ones that the best other worker held. */
  int reachElsewhere;

  /** The leading ones that the router believed the best other worker to hold. */
  int believedElsewhere;

  /** The leading ones that had been computed anywhere by then. */
  int finishedBlocks;

  /** At the last look-up: the leading ones that had ever been scheduled. */
  int scheduledBlocks;

  /** Whether its first admission has been noted. */
  boolean admittedOnce;

  // At the last preemption that was not fruitless, and how many fruitless ones came after it.
  int outputsWhenPreempted = -1;
  long endedWhenPreempted;
  int fruitlessPreemptions;
}
