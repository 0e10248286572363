package io.orrery.engine.routing;

/**
 * What a router sees of a worker. The load in flight is the router's own book-keeping; what the
 * worker reports is as old as the last scrape of its metrics, or of now if there is no scrape
 * interval.
 */
public interface WorkerView {
  /** Number of the worker, dense from 0 and never reused. */
  int id();

  /** Requests that the router knows to be here: placed and not ended. */
  int requestsInFlight();

  /** Sum of the input tokens of these requests. */
  long tokensInFlight();

  /** KV blocks that running requests hold, as the worker reports it. */
  int usedBlocks();

  /** Requests in the worker's batch, as it reports it. */
  int runningRequests();

  /** Requests in the worker's queue, as it reports it. */
  int waitingRequests();

  /** Usable KV blocks. */
  int totalBlocks();

  /** Most tokens of a step. */
  int maxBatchedTokens();

  /** GPUs of the worker. */
  int gpus();

  /** The worker's weight among its like, as its pool gives it: 1 unless the pool says otherwise. */
  double weight();
}
