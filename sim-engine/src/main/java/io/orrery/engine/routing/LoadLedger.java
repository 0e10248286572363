package io.orrery.engine.routing;

/**
 * What a router replica has written down about the requests that it knows to be in flight: its own
 * as soon as they are placed, those of other replicas as their news arrives.
 */
public interface LoadLedger {
  /** Requests placed on {@code worker} that have not ended. */
  int requests(int worker);

  /** Sum of their input tokens. */
  long tokens(int worker);

  /** Their prompt tokens that are still to be computed; leave with the first output token. */
  long prefillTokens(int worker);

  /** Their distinct prompt blocks: one that several have in common counts once. */
  long blocks(int worker);

  /** Their prompt blocks, each counted for every request that has it. */
  long allBlocks(int worker);

  /** What {@link #blocks} would be with {@code request} on {@code worker} as well. */
  long blocksWith(RoutedRequest request, int worker);
}
