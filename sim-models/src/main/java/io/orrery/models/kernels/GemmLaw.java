package io.orrery.models.kernels;

/**
 * Time of a GEMM; shape {@code {m, n, k}}.
 *
 * <pre>
 * us = t0 + smoothMax_q(a, b) + 3·m·k / (BW · effQuant)        the last term where activations are quantised
 * a  = 2mnk / (P · effCompute · s(m, mHalf) · s(n, nHalf) · s(k, kHalf) · s(m·n, mnHalf))
 * b  = (actBytes·m·k + weightBytes·n·k + 2·m·n + memSat) / (BW · effMemory)       s(x, h) = x / (x + h)
 * </pre>
 *
 * The saturations are collinear: they describe, they do not explain.
 */
final class GemmLaw implements Law {
  private static final double OUTPUT_BYTES = 2;
  private static final double QUANTIZED_BYTES = 3;

  private final KernelType type;
  private final double bandwidth;
  private final double peak;

  GemmLaw(KernelType type, KernelFloor floor) {
    this.type = type;
    this.bandwidth = floor.bandwidth();
    this.peak = floor.peak(type);
  }

  @Override
  public String[] coefficients() {
    return new String[] {
      "t0",
      "effCompute",
      "effMemory",
      "q",
      "mHalf",
      "nHalf",
      "kHalf",
      "mnHalf1e4",
      "effQuant",
      "memSatKB"
    };
  }

  @Override
  public double[] start() {
    return new double[] {4, 0.75, 0.8, 2.5, 0.1, 1, 100, 30, 1, 10};
  }

  @Override
  public double[] least() {
    return new double[] {0.5, 0.2, 0.3, 1.2, 0.01, 0.01, 0.01, 0.001, 0.05, 0.01};
  }

  @Override
  public double[] largest() {
    return new double[] {100, 1.1, 1, 12, 400, 4000, 4000, 1000, 50, 4000};
  }

  @Override
  public double micros(double[] p, double[] shape) {
    double m = shape[0];
    double n = shape[1];
    double k = shape[2];
    double rate =
        peak
            * p[1]
            * Law.saturation(m, p[4])
            * Law.saturation(n, p[5])
            * Law.saturation(k, p[6])
            * Law.saturation(m * n, p[7] * 1e4);
    double bytes =
        type.activationBytes() * m * k
            + type.weightBytes() * n * k
            + OUTPUT_BYTES * m * n
            + p[9] * 1e3;
    double micros = p[0] + Law.smoothMax(2 * m * n * k / rate, bytes / (bandwidth * p[2]), p[3]);
    if (type.quantizesActivations()) {
      micros += QUANTIZED_BYTES * m * k / (bandwidth * p[8]);
    }
    return micros;
  }
}
