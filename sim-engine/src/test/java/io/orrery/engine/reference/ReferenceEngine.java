package io.orrery.engine.reference;

import java.util.List;

/** An engine's scheduler and cache as the stepwise worker drives them. */
interface ReferenceEngine {
  void add(ReferenceRequest request);

  /** Forms the next step. */
  Batch schedule();

  /** Takes in the outputs of a step. */
  void update(Batch batch);

  /** Whether a block's content can be found. */
  boolean holds(long key);

  /** Blocks that requests hold. */
  int usedBlocks();

  /** Requests that have not been admitted, or no longer are. */
  int waitingCount();

  /** Why a request takes part in a step. */
  enum Kind {
    NEW,
    RESUMED,
    RUNNING
  }

  /**
   * A request's part in a step.
   *
   * @param computedBefore tokens in the KV cache before the step; for an admission: the hit
   * @param heldBlocks blocks held after scheduling
   * @param yields whether the step gives an output token
   * @param drafts drafted tokens among the new ones
   */
  record Part(
      ReferenceRequest request,
      Kind kind,
      int computedBefore,
      int newTokens,
      int heldBlocks,
      boolean yields,
      int drafts) {
    Part(
        ReferenceRequest request,
        Kind kind,
        int computedBefore,
        int newTokens,
        int heldBlocks,
        boolean yields) {
      this(request, kind, computedBefore, newTokens, heldBlocks, yields, 0);
    }
  }

  /**
   * What one call of {@link #schedule} decided.
   *
   * @param again whether, if it is empty, another call follows at once
   */
  record Batch(List<Part> parts, List<ReferenceRequest> preempted, boolean again) {
    Batch(List<Part> parts, List<ReferenceRequest> preempted) {
      this(parts, preempted, !preempted.isEmpty());
    }

    int tokens() {
      return parts.stream().mapToInt(Part::newTokens).sum();
    }
  }

  /** Hears decisions as they fall. */
  interface Listener {
    default void lookedUp(ReferenceRequest request, int hitTokens) {}

    default void allocationFailed(ReferenceRequest request) {}

    /** Called before the request takes any block. */
    default void admitting(ReferenceRequest request, int hitTokens) {}

    /** A step computes tokens of a request that nobody can find yet. */
    default void computing(ReferenceRequest request, int from, int to) {}

    default void assigned(ReferenceRequest request, int firstBlock, int endBlock) {}

    default void preempting(ReferenceRequest request) {}

    default void token(ReferenceRequest request) {}

    /** A step verified drafted tokens. */
    default void verified(int drafts, int accepted) {}

    /** The request has ended; it still holds its blocks. */
    default void finishing(ReferenceRequest request, boolean byStopToken) {}

    /** The request is given up for want of memory. */
    default void failing(ReferenceRequest request) {}
  }
}
