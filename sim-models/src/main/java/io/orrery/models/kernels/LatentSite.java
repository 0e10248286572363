package io.orrery.models.kernels;

import io.orrery.models.LatentAttention;

/**
 * A layer's whole block of latent attention on one GPU: projections into the latents and out of
 * them, attention, output projection.
 *
 * @param heads heads on the GPU
 * @param hidden width of the residual stream
 * @param shape widths of latents and heads
 * @param dense format of the projections
 * @param kv format of the latent cache, {@link KernelType#BF16} or {@link KernelType#FP8}
 */
public record LatentSite(
    int heads, int hidden, LatentAttention shape, KernelType dense, KernelType kv) {
  /** What the measured tables have: DeepSeek-V3. */
  private static final LatentAttention MEASURED = new LatentAttention(1536, 512, 128, 64, 128);

  private static final int MEASURED_HIDDEN = 7168;

  /** A site of the measured tables. */
  static LatentSite measured(int heads, KernelType dense, KernelType kv) {
    return new LatentSite(heads, MEASURED_HIDDEN, MEASURED, dense, kv);
  }

  /** The same heads as the tables have them. */
  LatentSite asMeasured(int otherHeads, KernelType otherDense) {
    return measured(otherHeads, otherDense, kv);
  }

  /** Whether its widths are those of the tables. */
  boolean isMeasuredShape() {
    return hidden == MEASURED_HIDDEN && shape.equals(MEASURED);
  }

  LatentSite withDense(KernelType other) {
    return new LatentSite(heads, hidden, shape, other, kv);
  }

  /** Rows and columns {@code {n, k}} of the projections in front of the heads and behind them. */
  int[][] projections() {
    return new int[][] {
      {shape.queryRank() + shape.cachedElements(), hidden},
      {heads * shape.headDim(), shape.queryRank() == 0 ? hidden : shape.queryRank()},
      {heads * (shape.plainHeadDim() + shape.valueHeadDim()), shape.latentRank()},
      {hidden, heads * shape.valueHeadDim()}
    };
  }

  /** Bytes of one token's latent. */
  double cacheBytes() {
    return shape.cachedElements() * kv.weightBytes();
  }

  /** FLOP of one pair of query and key, over all heads, keys and values written out. */
  double flopsPerPair() {
    return 2.0 * heads * (shape.headDim() + shape.valueHeadDim());
  }

  /**
   * The same as decodes compute it: queries carried into the latent space, where latents serve as
   * keys and values of all heads.
   */
  double absorbedFlopsPerPair() {
    return 2.0 * heads * (shape.cachedElements() + shape.latentRank());
  }

  @Override
  public String toString() {
    return heads
        + " heads of latent attention ("
        + shape.latentRank()
        + " + "
        + shape.rotaryHeadDim()
        + ") in "
        + dense.label()
        + ", cache in "
        + kv.label();
  }
}
