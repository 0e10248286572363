package io.orrery.traces.synthesis;

import org.jspecify.annotations.Nullable;

/** Samples that do not count equally. */
final class WeightedSamples {
  private final Samples samples = new Samples();
  private final Samples weights = new Samples();

  void add(double sample, double weight) {
    samples.add(sample);
    weights.add(weight);
  }

  /** Their distribution; null where there is none. */
  @Nullable Knots knots() {
    return samples.size() == 0 ? null : Knots.weighted(samples.all(), weights.all());
  }
}
