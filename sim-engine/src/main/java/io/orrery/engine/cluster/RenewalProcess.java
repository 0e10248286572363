package io.orrery.engine.cluster;

import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.Draws;

/**
 * Independent gaps from a gamma distribution with a given mean and coefficient of variation.
 *
 * <p>Sampling: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26
 * (2000); normal variates by Box and Muller.
 */
final class RenewalProcess {
  private static final double NANOS = 1e9;

  private final double meanNanos;
  private final double shape;
  private final Draws draws;

  RenewalProcess(Arrivals.Process process, long seed) {
    meanNanos = NANOS / process.perSecond();
    shape = process.variation() == 0 ? 0 : 1 / (process.variation() * process.variation());
    draws = new Draws(seed, "dispatch.arrivals");
  }

  /** The gap before the {@code i}-th arrival, in nanoseconds. */
  long gapNanos(int i) {
    if (shape == 0) {
      return Math.round(meanNanos);
    }
    return Math.round(meanNanos * gamma(i) / shape);
  }

  private double gamma(int i) {
    // Below shape 1 the method needs the boost gamma(a) = gamma(a + 1) · u^(1/a).
    double a = shape < 1 ? shape + 1 : shape;
    double d = a - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    int draw = 1;
    while (true) {
      double radius = Math.sqrt(-2 * StrictMath.log(1 - draws.uniform(i, draw)));
      double x = radius * StrictMath.cos(2 * Math.PI * draws.uniform(i, draw + 1));
      double u = 1 - draws.uniform(i, draw + 2);
      draw += 3;
      double v = 1 + c * x;
      if (v <= 0) {
        continue;
      }
      v = v * v * v;
      if (StrictMath.log(u) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
        double boost = shape < 1 ? StrictMath.pow(1 - draws.uniform(i, 0), 1 / shape) : 1;
        return d * v * boost;
      }
    }
  }
}
