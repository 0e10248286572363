package io.orrery.engine.cluster;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The requests that wait at a replica of the router, the next one first. */
final class RouterQueue {
  /** Of equal scores the request with the lower row goes first. */
  private static final Comparator<Waiting> NEXT_FIRST =
      Comparator.comparingInt(Waiting::strictPriority)
          .thenComparingDouble(Waiting::score)
          .reversed()
          .thenComparingInt(Waiting::row);

  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(NEXT_FIRST);

  /**
   * A request that waits.
   *
   * @param strictPriority higher goes first, whatever the score
   * @param score higher goes first
   */
  record Waiting(int row, int strictPriority, double score) {}

  void add(Waiting request) {
    waiting.add(request);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** The row that goes next; there must be one. */
  int first() {
    return waiting.element().row();
  }

  void removeFirst() {
    waiting.remove();
  }
}
