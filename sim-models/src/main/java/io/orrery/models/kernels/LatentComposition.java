package io.orrery.models.kernels;

/**
 * Latent attention where no table has it: its projections as GEMMs, and attention at shares of the
 * hardware's rates that are typical of the measured GPUs. Low confidence.
 */
final class LatentComposition {
  /** Share of the 16-bit peak: prefill of DeepSeek-V3 on B200, H100 and H200, 30 to 60 %. */
  private static final double COMPUTE = 0.45;

  /** Share of the bandwidth: decodes of 16 heads on the same GPUs, 60 to 87 %. */
  private static final double MEMORY = 0.7;

  /** Norms, rotary embedding, writing the cache, and starting the kernel. */
  private static final double FIXED_MICROS = 12;

  private LatentComposition() {}

  static double prefill(
      KernelTimes kernels, KernelFloor floor, LatentSite site, int batch, int length) {
    double tokens = (double) batch * length;
    double core = floor.latentAttention(site, tokens * (length + 1.0) / 2, tokens) / COMPUTE;
    return projections(kernels, site, (int) Math.min(Integer.MAX_VALUE, tokens)) + core;
  }

  static double decode(
      KernelTimes kernels, KernelFloor floor, LatentSite site, int batch, int context) {
    double pairs = (double) batch * context;
    return projections(kernels, site, batch) + floor.latentAttention(site, pairs, pairs) / MEMORY;
  }

  private static double projections(KernelTimes kernels, LatentSite site, int tokens) {
    double micros = FIXED_MICROS;
    for (int[] projection : site.projections()) {
      micros += kernels.gemm(site.dense(), tokens, projection[0], projection[1]);
    }
    return micros;
  }
}
