package io.orrery.engine;

/** Where a request stands. The states of features that a run does not use are never entered. */
public enum RequestState {
  /** Not sent yet. */
  TO_ARRIVE(false),
  /** Held back by admission. */
  PAUSED(false),
  /** Waiting at the router for a worker. */
  QUEUED(false),
  /** Placed, on its way. */
  ROUTED(false),
  /** Its prefix is being fetched from a slower tier. */
  FETCHING(false),
  /** In the worker's queue. */
  WAITING(false),
  PREFILLING(false),
  /** Its KV is moving from the prefill to the decode worker. */
  TRANSFERRING(false),
  DECODING(false),
  /** It lost its blocks and waits to be recomputed. */
  PREEMPTED(false),
  FINISHED(true),
  /** Refused by the worker; the reason is in the result. */
  REJECTED(true),
  /** Given up by the client. */
  CANCELLED(true),
  /** Lost with its worker. */
  FAILED(true);

  private final boolean terminal;

  RequestState(boolean terminal) {
    this.terminal = terminal;
  }

  /** Whether nothing more happens to the request. */
  public boolean isTerminal() {
    return terminal;
  }
}
