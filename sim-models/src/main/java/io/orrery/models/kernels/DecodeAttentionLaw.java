package io.orrery.models.kernels;

/**
 * Time of decode attention; shape {@code {batch, context, heads, kvHeads}}, one law per head width,
 * window and KV format.
 *
 * <pre>
 * us = t0 + tHead·batch·kvHeads + tToken·min(K, 4096) + smoothMax_q(bytes / (BW · effMemory · s(splits, splitHalf)), flops / (P · effCompute))
 * bytes = batch · K · KV bytes per token,   splits = batch · kvHeads · ceil(K / 256),   K: the context, cut at the window
 * </pre>
 */
final class DecodeAttentionLaw implements Law {
  private static final double SPLIT = 256;
  private static final double RAMP = 4096;

  private final AttentionSite kind;
  private final double bandwidth;
  private final double peak;

  /**
   * A law.
   *
   * @param kind head width, window and KV format; the numbers of heads play no role
   */
  DecodeAttentionLaw(AttentionSite kind, KernelFloor floor) {
    this.kind = kind;
    this.bandwidth = floor.bandwidth();
    this.peak = floor.peak(KernelType.BF16);
  }

  @Override
  public String[] coefficients() {
    return new String[] {
      "t0", "effMemory", "splitHalf", "effCompute", "q", "tHeadNanos", "tTokenNanos"
    };
  }

  @Override
  public double[] start() {
    return new double[] {8, 0.8, 50, 0.3, 2, 1, 1};
  }

  @Override
  public double[] least() {
    return new double[] {0.5, 0.1, 0.1, 0.01, 1, 0.001, 0.0001};
  }

  @Override
  public double[] largest() {
    return new double[] {100, 1, 20000, 1.1, 12, 1000, 50};
  }

  @Override
  public double micros(double[] p, double[] shape) {
    double batch = shape[0];
    double context = kind.seen((long) shape[1]);
    double heads = shape[2];
    double kvHeads = shape[3];
    double bytes = 2 * batch * kvHeads * kind.headDim() * context * kind.kv().weightBytes();
    double flops = 4 * batch * heads * kind.headDim() * context;
    double splits = batch * kvHeads * Math.ceil(context / SPLIT);
    return p[0]
        + p[5] * 1e-3 * batch * kvHeads
        + p[6] * 1e-3 * Math.min(context, RAMP)
        + Law.smoothMax(
            bytes / (bandwidth * p[1] * Law.saturation(splits, p[2])), flops / (peak * p[3]), p[4]);
  }
}
