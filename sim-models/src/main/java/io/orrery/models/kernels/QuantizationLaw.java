package io.orrery.models.kernels;

/**
 * Time to find a scale for 16-bit activations, or to apply it; shape {@code {m, k}}.
 *
 * <pre>
 * us = smoothMax_q(t0, m·k / elementsPerNano / 1000)
 * </pre>
 */
final class QuantizationLaw implements Law {
  @Override
  public String[] coefficients() {
    return new String[] {"t0", "elementsPerNano", "q"};
  }

  @Override
  public double[] start() {
    return new double[] {5, 1000, 2};
  }

  @Override
  public double[] least() {
    return new double[] {0.1, 10, 1};
  }

  @Override
  public double[] largest() {
    return new double[] {100, 100_000, 12};
  }

  @Override
  public double micros(double[] p, double[] shape) {
    return Law.smoothMax(p[0], shape[0] * shape[1] / (p[1] * 1e3), p[2]);
  }
}
