package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;

/**
 * Time of prefill attention; shape {@code {batch, length, heads, kvHeads}}, one law per head width,
 * window and KV format.
 *
 * <pre>
 * us = t0 + tHead·batch·heads + smoothMax_q(flops / (P · effCompute · s(S, sHalf) · s(tiles, tileHalf)), bytes / (BW · effMemory))
 * flops = 4 · pairs · batch · heads · headDim,   tiles = batch · heads · ceil(S / 128)
 * </pre>
 */
final class PrefillAttentionLaw implements Law {
  private static final double TILE = 128;

  private final AttentionSite kind;
  private final double bandwidth;
  private final double peak;

  /**
   * A law.
   *
   * @param kind head width, window and KV format; the numbers of heads play no role
   */
  PrefillAttentionLaw(AttentionSite kind, KernelFloor floor) {
    this.kind = kind;
    this.bandwidth = floor.bandwidth();
    this.peak = floor.peak(KernelType.BF16);
  }

  @Override
  public String[] coefficients() {
    return new String[] {"t0", "effCompute", "effMemory", "q", "sHalf", "tileHalf", "tHeadNanos"};
  }

  @Override
  public double[] start() {
    return new double[] {8, 0.6, 0.5, 1.5, 100, 100, 5};
  }

  @Override
  public double[] least() {
    return new double[] {0.5, 0.1, 0.05, 1, 0.1, 0.1, 0.001};
  }

  @Override
  public double[] largest() {
    return new double[] {100, 1.1, 1, 12, 8000, 20000, 1000};
  }

  @Override
  public double micros(double[] p, double[] shape) {
    double batch = shape[0];
    double length = shape[1];
    double heads = shape[2];
    double kvHeads = shape[3];
    int window = kind.window() == 0 ? Integer.MAX_VALUE : kind.window();
    double pairs = CausalPairs.count((int) length, 0, window);
    double flops = 4 * pairs * batch * heads * kind.headDim();
    double tiles = batch * heads * Math.ceil(length / TILE);
    double bytes =
        batch
            * length
            * kind.headDim()
            * (4 * heads + 4 * kvHeads + 2 * kvHeads * kind.kv().weightBytes());
    double compute =
        flops / (peak * p[1] * Law.saturation(length, p[4]) * Law.saturation(tiles, p[5]));
    return p[0]
        + p[6] * 1e-3 * batch * heads
        + Law.smoothMax(compute, bytes / (bandwidth * p[2]), p[3]);
  }
}
