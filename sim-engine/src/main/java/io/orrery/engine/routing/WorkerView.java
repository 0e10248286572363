package io.orrery.engine.routing;

/**
 * What a router sees of a worker. The load in flight is the router's own book-keeping, exact and
 * immediate; KV use is what the worker reports.
 */
public interface WorkerView {
  /** Number of the worker, dense from 0 and never reused. */
  int id();

  /** Requests placed here that have not ended. */
  int requestsInFlight();

  /** Sum of the input tokens of the requests placed here that have not ended. */
  long tokensInFlight();

  /** KV blocks that running requests hold now. */
  int usedBlocks();

  /** Usable KV blocks. */
  int totalBlocks();

  /** GPUs of the worker. */
  int gpus();
}
