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

  /** As below, with weights stored and multiplied as the kernel has them. */
  double experts(ExpertSite site, int tokens) {
    return experts(site, tokens, site.type().weightBytes(), peak(site.type()));
  }

  /** Every expert that evenly routed tokens are expected to wake, fetched once. */
  double experts(ExpertSite site, int tokens, double weightBytes, double peak) {
    double parameters = 3.0 * site.hidden() * site.width() / site.tensorParallel();
    double visits = (double) tokens * site.perToken() / site.expertParallel();
    double awake =
        Operator.expectedDistinctExperts(site.experts(), site.perToken(), tokens)
            / site.expertParallel();
    return Math.max(2 * visits * parameters / peak, awake * parameters * weightBytes / bandwidth());
  }
}
