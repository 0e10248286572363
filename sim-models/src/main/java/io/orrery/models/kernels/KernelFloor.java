package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import io.orrery.models.Operator;

/**
 * The least that the hardware allows for a kernel, in microseconds: its arithmetic at peak rate or
 * the bytes that it must move at full bandwidth, whichever is longer.
 */
final class KernelFloor {
  static final double MICROS = 1e6;

  private final Gpu gpu;

  KernelFloor(Gpu gpu) {
    this.gpu = gpu;
  }

  /** Bytes per microsecond. */
  double bandwidth() {
    return gpu.hbmBytesPerSecond() / MICROS;
  }

  /** FLOP per microsecond. */
  double peak(KernelType type) {
    return type.flopsPerSecond(gpu) / MICROS;
  }

  /** The weights fetched once; activations may stay in the caches. */
  double gemm(KernelType type, double m, double n, double k) {
    return Math.max(2 * m * n * k / peak(type), n * k * type.weightBytes() / bandwidth());
  }

  /** {@link #gemm} of one format. */
  GemmTable.Base base(KernelType type) {
    return (m, n, k) -> gemm(type, m, n, k);
  }

  /** Query-key pairs in 16-bit arithmetic, and keys and values fetched once. */
  double attention(AttentionSite site, double pairs, double kvTokens) {
    double flops = 4.0 * site.headDim() * site.heads() * pairs;
    return Math.max(flops / peak(KernelType.BF16), kvTokens * site.kvBytesPerToken() / bandwidth());
  }

  /**
   * Latent attention with its projections: each of them, and pairs of written-out queries and keys
   * in 16-bit arithmetic or the latents fetched once.
   */
  double latent(LatentSite site, double tokens, double pairs, double kvTokens) {
    double micros = latentAttention(site, pairs, kvTokens);
    for (int[] projection : site.projections()) {
      micros += gemm(site.dense(), tokens, projection[0], projection[1]);
    }
    return micros;
  }

  /** Latent attention alone. */
  double latentAttention(LatentSite site, double pairs, double kvTokens) {
    return Math.max(
        pairs * site.flopsPerPair() / peak(KernelType.BF16),
        kvTokens * site.cacheBytes() / bandwidth());
  }

  /** Latent attention alone, as decodes compute it: in the latent space. */
  double absorbedAttention(LatentSite site, double pairs, double kvTokens) {
    return Math.max(
        pairs * site.absorbedFlopsPerPair() / peak(KernelType.BF16),
        kvTokens * site.cacheBytes() / bandwidth());
  }

  /** Prompts through a Mamba2 layer: every token moved once, every state written once. */
  double statePrefill(StateSite site, double sequences, double tokens) {
    return (tokens * site.tokenBytes() + sequences * site.stateBytes()) / bandwidth();
  }

  /** Decodes in a Mamba2 layer: every state read and written. */
  double stateDecode(StateSite site, double sequences) {
    return 2 * sequences * site.stateBytes() / bandwidth();
  }

  /** As below, with weights stored and multiplied as the kernel has them. */
  double experts(ExpertSite site, int tokens) {
    return experts(site, tokens, site.type().weightBytes(), peak(site.type()));
  }

  /** Every expert that evenly routed tokens are expected to wake, fetched once. */
  double experts(ExpertSite site, int tokens, double weightBytes, double peak) {
    double parameters =
        (double) site.matrices() * site.hidden() * site.width() / site.tensorParallel();
    double visits = (double) tokens * site.perToken() / site.expertParallel();
    double awake =
        Operator.expectedDistinctExperts(site.experts(), site.perToken(), tokens)
            / site.expertParallel();
    return Math.max(2 * visits * parameters / peak, awake * parameters * weightBytes / bandwidth());
  }
}
