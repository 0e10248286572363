package io.orrery.engine.cluster;

import io.orrery.engine.Draws;

/** Whether a request's output comes back verbatim in the next prompt of its session. */
final class CompletionReuse {
  private final double probability;
  private final Draws draws;

  CompletionReuse(double probability, long seed) {
    this.probability = probability;
    this.draws = new Draws(seed, "cache.completion-reuse");
  }

  boolean returnsVerbatim(int row) {
    return probability >= 1 || (probability > 0 && draws.uniform(row, 0) < probability);
  }
}
