package io.orrery.engine.cluster;

import io.orrery.engine.cache.WorkerIndex;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;

/** The router's belief of who holds what, fed by block events. */
final class RouterIndex implements PrefixBeliefs {
  private final WorkerIndex holders;

  RouterIndex(int workers) {
    holders = new WorkerIndex(workers);
  }

  void apply(int worker, long event) {
    if (event >= 0) {
      holders.add(event, worker);
    } else {
      holders.remove(~event, worker);
    }
  }

  @Override
  public void depths(RoutedRequest request, int[] depths) {
    holders.depths(request.keys(), request.identifiedBlocks(), depths);
  }
}
