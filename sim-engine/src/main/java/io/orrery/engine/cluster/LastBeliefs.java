package io.orrery.engine.cluster;

import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What was believed of the request that the router has chosen for last: by its policy, else by the
 * router's index, if there is one.
 */
final class LastBeliefs {
  private final int blockSize;

  /** By worker: leading blocks of the prompt that it was believed to hold. */
  private final int[] blocks;

  private boolean some;
  private int inputTokens;

  LastBeliefs(int workers, int blockSize) {
    blocks = new int[workers];
    this.blockSize = blockSize;
  }

  /** Notes what is believed of a request that goes to {@code worker}. */
  void note(RoutedRequest request, RoutingPolicy policy, @Nullable RouterIndex index, int worker) {
    inputTokens = request.inputTokens();
    some = true;
    if (policy.believedBlocks(worker) >= 0) {
      for (int w = 0; w < blocks.length; w++) {
        blocks[w] = Math.max(0, policy.believedBlocks(w));
      }
    } else if (index != null) {
      index.depths(request, blocks);
    } else {
      some = false;
    }
  }

  /** Leading blocks that each worker was believed to hold; null if nobody had a belief. */
  int @Nullable [] blocks() {
    return some ? blocks : null;
  }

  /** Leading tokens that {@code worker} was believed to hold; -1 if nobody had a belief. */
  int tokens(int worker) {
    return some ? Math.min(blocks[worker] * blockSize, inputTokens) : -1;
  }

  /** The most leading blocks that a worker other than {@code worker} was believed to hold. */
  int elsewhere(int worker) {
    int most = 0;
    if (some) {
      for (int w = 0; w < blocks.length; w++) {
        if (w != worker) {
          most = Math.max(most, blocks[w]);
        }
      }
    }
    return most;
  }
}
