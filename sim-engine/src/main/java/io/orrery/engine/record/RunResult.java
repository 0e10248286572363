package io.orrery.engine.record;

import java.util.List;

/**
 * What a run found: facts only; numbers of the reports are derived from it.
 *
 * @param columns one row a request
 * @param interTokenNanos every gap between two output tokens of a request
 * @param workers what each worker did
 * @param endNanos the moment of the last event, or the time limit
 * @param blockSize tokens in a KV block
 * @param prefilledOnly distinct identified blocks that were computed as prefill outside tails and
 *     were never produced by decoding, in a tail or without identity: what no cache of any size can
 *     save (see the order-free bound)
 * @param rejections reasons of refused requests, in the order of their rows
 * @param router what the router did
 * @param regretNanos how much earlier each first token would have come on the best candidate, by
 *     the estimates of {@link Decision}; empty unless a recorder heard decisions
 * @param admission what admission did
 * @param lookUps what was looked up and when it could be found, for bounds
 */
public record RunResult(
    RunColumns columns,
    Samples interTokenNanos,
    List<WorkerStats> workers,
    long endNanos,
    int blockSize,
    long prefilledOnly,
    List<Rejection> rejections,
    RouterStats router,
    Samples regretNanos,
    AdmissionLog admission,
    LookUpLog lookUps) {
  public RunResult {
    workers = List.copyOf(workers);
    rejections = List.copyOf(rejections);
  }

  /** Why the request of {@code row} was refused. */
  public record Rejection(int row, String reason) {}
}
