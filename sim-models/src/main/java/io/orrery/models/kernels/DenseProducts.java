package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.Precision;
import io.orrery.models.WeightPart;
import java.util.List;

/**
 * Products with one part of a worker's dense weights: in the format that its GPU has kernels for,
 * or in 16 bits with weights stored in 4.
 */
final class DenseProducts {
  private static final double WIDENING_CHARGE = 1.1;

  private final Deployment worker;
  private final KernelTimes kernels;
  private final KernelFloor floor;
  private final KernelType type;
  private final boolean widened;

  DenseProducts(Deployment worker, WeightPart part, KernelTimes kernels) {
    this.worker = worker;
    this.kernels = kernels;
    this.floor = new KernelFloor(worker.gpu());
    Precision precision = worker.precisionOf(part);
    this.widened = precision == Precision.NVFP4 && !worker.gpu().hasFp4();
    this.type =
        switch (precision) {
          case FP8 ->
              worker.model().isMixtureOfExperts() && kernels.hasBlockGemms()
                  ? KernelType.FP8_BLOCK
                  : KernelType.FP8;
          case NVFP4 -> widened ? KernelType.BF16 : KernelType.NVFP4;
          default -> KernelType.BF16;
        };
  }

  /** The format of the kernels. */
  KernelType type() {
    return type;
  }

  List<String> notes() {
    return widened
        ? List.of(
            "nvfp4 weights on "
                + worker.gpu()
                + ": no measured kernel; the 16-bit one with a quarter of the weight bytes, and 10"
                + " % more arithmetic for widening them")
        : List.of();
  }

  /** A product with {@code n × k} weights. */
  TokenOperator product(String name, int count, int n, int k) {
    return new TokenOperator(name, count, t -> micros(t, n, k), t -> floor(t, n, k));
  }

  /** A product whose weights stay 16-bit. */
  TokenOperator sixteenBit(String name, int count, int n, int k) {
    return new TokenOperator(
        name,
        count,
        t -> kernels.gemm(KernelType.BF16, t, n, k),
        t -> floor.gemm(KernelType.BF16, t, n, k));
  }

  /** 4-bit weights in 16-bit arithmetic: as far from its floor as the 16-bit kernel is from its. */
  private double micros(int tokens, int n, int k) {
    double micros = kernels.gemm(type, tokens, n, k);
    return widened
        ? micros / floor.gemm(type, tokens, n, k) * widenedFloor(tokens, n, k, WIDENING_CHARGE)
        : micros;
  }

  private double floor(int tokens, int n, int k) {
    return widened ? widenedFloor(tokens, n, k, 1) : floor.gemm(type, tokens, n, k);
  }

  private double widenedFloor(double tokens, double n, double k, double charge) {
    double compute = 2.0 * tokens * n * k / floor.peak(KernelType.BF16);
    double memory = n * k * Precision.NVFP4.bytesPerElement() / floor.bandwidth();
    return Math.max(charge * compute, memory);
  }

  /** The projections of a latent attention block. */
  double projections(LatentSite site, int tokens) {
    double micros = 0;
    for (int[] projection : site.projections()) {
      micros += micros(tokens, projection[0], projection[1]);
    }
    return micros;
  }

  /** The projection of keys and values from the latents of a prefix. */
  double writeOut(LatentSite site, int tokens) {
    int width = site.shape().plainHeadDim() + site.shape().valueHeadDim();
    return micros(tokens, site.heads() * width, site.shape().latentRank());
  }

  /** What a latent block takes that was measured with kernels of {@link #type}. */
  double latentBlock(LatentSite site, int tokens, double measured) {
    if (!widened) {
      return measured;
    }
    double plain = 0;
    for (int[] projection : site.projections()) {
      plain += kernels.gemm(type, tokens, projection[0], projection[1]);
    }
    // a block overlaps its projections in part: never less than the widened ones alone
    double narrow = projections(site, tokens);
    return Math.max(narrow, measured - plain + narrow);
  }

  /** The least time of a latent block. */
  double latentFloor(LatentSite site, double tokens, double pairs, double kvTokens) {
    if (!widened) {
      return floor.latent(site, tokens, pairs, kvTokens);
    }
    double micros = floor.latentAttention(site, pairs, kvTokens);
    for (int[] projection : site.projections()) {
      micros += widenedFloor(tokens, projection[0], projection[1], 1);
    }
    return micros;
  }
}
