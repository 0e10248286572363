package io.orrery.models.kernels;

/**
 * Time of a layer's routed experts on one GPU; shape {@code {tokens, hidden, width, perToken,
 * experts, tensorParallel, expertParallel, matrices}}, one law per format and kind of load.
 *
 * <pre>
 * us = t0 + tExpert·experts/EP + perm·A·(4·hidden + 4·width/TP) / BW + smoothMax_q(a, b)
 * A = tokens·perToken/EP visits,   hit = E·(1 − e^(−A/E)) experts awake,  E = experts/EP
 * a = 2·matrices·(A + hit·pad)·hidden·w / (P · effCompute · s(hidden, hHalf) · s(w, wHalf)),   w = width/TP
 * b = hit·matrices·hidden·w·weightBytes / (BW · effMemory · s(bytes per expert, bytesHalf))
 * </pre>
 */
final class ExpertLaw implements Law {
  private final KernelType type;
  private final double bandwidth;
  private final double peak;

  ExpertLaw(KernelType type, KernelFloor floor) {
    this.type = type;
    this.bandwidth = floor.bandwidth();
    this.peak = floor.peak(type);
  }

  static double[] shape(ExpertSite site, int tokens) {
    return new double[] {
      tokens,
      site.hidden(),
      site.width(),
      site.perToken(),
      site.experts(),
      site.tensorParallel(),
      site.expertParallel(),
      site.matrices()
    };
  }

  @Override
  public String[] coefficients() {
    return new String[] {
      "t0",
      "effCompute",
      "effMemory",
      "q",
      "pad",
      "tExpertNanos",
      "perm",
      "hHalf",
      "wHalf",
      "bytesHalf1e5"
    };
  }

  @Override
  public double[] start() {
    return new double[] {20, 0.4, 0.8, 2, 4, 10, 1, 10, 10, 1};
  }

  @Override
  public double[] least() {
    return new double[] {1, 0.02, 0.05, 1, 0.01, 0.001, 0.01, 0.01, 0.01, 0.001};
  }

  @Override
  public double[] largest() {
    return new double[] {500, 1.1, 1.1, 12, 256, 1000, 50, 20000, 8000, 500};
  }

  @Override
  public double micros(double[] p, double[] shape) {
    double hidden = shape[1];
    double width = shape[2] / shape[5];
    double local = shape[4] / shape[6];
    double visits = shape[0] * shape[3] / shape[6];
    double hit = local * (1 - StrictMath.exp(-visits / local));
    double expertBytes = shape[7] * hidden * width * type.weightBytes();
    double compute =
        2
            * shape[7]
            * (visits + hit * p[4])
            * hidden
            * width
            / (peak * p[1] * Law.saturation(hidden, p[7]) * Law.saturation(width, p[8]));
    double memory =
        hit * expertBytes / (bandwidth * p[2] * Law.saturation(expertBytes, p[9] * 1e5));
    return p[0]
        + p[5] * 1e-3 * local
        + p[6] * visits * (4 * hidden + 4 * width) / bandwidth
        + Law.smoothMax(compute, memory, p[3]);
  }
}
