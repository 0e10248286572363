package io.orrery.models;

/**
 * The step time of DynoSim's mock engine: two polynomials fitted to one GPU and one model, of the
 * prefill tokens and of the KV pool's occupancy. For comparing with published DynoSim results; it
 * knows nothing of the worker's model or GPU.
 *
 * <pre>
 * prefill = 4.209989e-7·T² + 1.518344e-2·T + 16.50142 ms   T: new tokens of all chunks together
 * decode  = max(1, −25.74·u² + 54.01·u + 5.74) ms          u: decode contexts / KV pool, at most 1
 * step    = prefill / speedup + decode / (speedup · decodeSpeedup)
 * </pre>
 *
 * A part without work takes no time. The coefficients are those of the preset {@code
 * dynosim-2026-11}, see {@code polynomial.json}.
 */
public final class PolynomialStepTime implements StepTimeModel {
  private static final double NANOS_PER_MILLI = 1e6;

  private final PolynomialCoefficients coefficients;
  private final double prefillScale;
  private final double decodeScale;

  /**
   * @param coefficients the preset
   * @param speedup divides both parts, above 0
   * @param decodeSpeedup divides decode once more, above 0
   * @throws IllegalArgumentException if a speedup is not a positive finite number
   */
  public PolynomialStepTime(
      PolynomialCoefficients coefficients, double speedup, double decodeSpeedup) {
    requirePositive("speedup", speedup);
    requirePositive("decodeSpeedup", decodeSpeedup);
    this.coefficients = coefficients;
    this.prefillScale = NANOS_PER_MILLI / speedup;
    this.decodeScale = NANOS_PER_MILLI / (speedup * decodeSpeedup);
  }

  @Override
  public String name() {
    return "polynomial " + coefficients.name();
  }

  @Override
  public long stepNanos(StepShape shape) {
    double nanos = 0;
    if (shape.prefillCount > 0) {
      nanos += prefillNanos(shape.prefillNewSum);
    }
    if (shape.decodeCount > 0) {
      nanos += decodeNanos(shape.decodeContextSum, pool(shape));
    } else if (shape.prefillCount == 0) {
      return 0;
    }
    return StepTimeModel.wholeNanos(nanos);
  }

  @Override
  public void decodeRun(StepShape shape, int steps, long startNanos, long[] ends, int from) {
    StepTimeModel.requireDecodeOnly(shape);
    if (shape.decodeCount == 0) {
      StepTimeModel.super.decodeRun(shape, steps, startNanos, ends, from);
      return;
    }
    double pool = pool(shape);
    int growth = shape.decodeCount;
    long contextSum = shape.decodeContextSum;
    long now = startNanos;
    for (int i = 0; i < steps; i++) {
      now += StepTimeModel.wholeNanos(decodeNanos(contextSum, pool));
      ends[from + i] = now;
      contextSum += growth;
    }
    shape.advanceDecodes(steps);
  }

  private double prefillNanos(int tokens) {
    double n = tokens;
    double millis =
        coefficients.prefillQuadratic() * (n * n)
            + coefficients.prefillLinear() * n
            + coefficients.prefillConstant();
    return millis * prefillScale;
  }

  private double decodeNanos(long contextSum, double pool) {
    double share = contextSum / pool;
    double u = share < 1 ? share : 1; // comparisons: Math.min and max cost more for NaN and -0
    double millis =
        coefficients.decodeQuadratic() * (u * u)
            + coefficients.decodeLinear() * u
            + coefficients.decodeConstant();
    double least = coefficients.decodeMinimum();
    return (millis > least ? millis : least) * decodeScale;
  }

  private static double pool(StepShape shape) {
    if (shape.kvPoolTokens <= 0) {
      throw new IllegalArgumentException(
          "kvPoolTokens is " + shape.kvPoolTokens + ", the polynomial needs the KV pool's size");
    }
    return shape.kvPoolTokens;
  }

  private static void requirePositive(String parameter, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          parameter + ": found " + value + ", expected a positive number");
    }
  }
}
