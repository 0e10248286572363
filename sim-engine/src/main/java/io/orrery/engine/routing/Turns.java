package io.orrery.engine.routing;

/**
 * Whose turn it is among equals: the worker that was chosen longest ago, one never chosen before
 * all others, then the lowest id. An idle cluster so fills evenly instead of sending everything to
 * its first worker.
 */
final class Turns {
  private final long[] chosen;
  private long count;

  Turns(RoutingContext context) {
    chosen = new long[context.workers()];
  }

  /** Negative if it is {@code a}'s turn before {@code b}'s. */
  int compare(WorkerView a, WorkerView b) {
    int order = Long.compare(chosen[a.id()], chosen[b.id()]);
    return order != 0 ? order : Integer.compare(a.id(), b.id());
  }

  void placed(int worker) {
    chosen[worker] = ++count;
  }
}
