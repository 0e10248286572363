package io.orrery.models.kernels;

/**
 * The routed experts of one layer: all of them, and how they are dealt to GPUs. Times are those of
 * one GPU, the busiest where the load is uneven.
 *
 * @param hidden width of the residual stream
 * @param width width of an expert, before it is cut
 * @param perToken experts that a token visits
 * @param experts experts of the layer
 * @param tensorParallel slices that every expert is cut into
 * @param expertParallel groups that the experts are dealt to
 * @param matrices matrices of an expert: 3 with a gate, 2 without
 * @param type format of the weights and activations
 * @param skewed whether some experts are chosen more often (power law of 1.2) or all alike
 */
public record ExpertSite(
    int hidden,
    int width,
    int perToken,
    int experts,
    int tensorParallel,
    int expertParallel,
    int matrices,
    KernelType type,
    boolean skewed) {
  /** Gated experts. */
  ExpertSite(
      int hidden,
      int width,
      int perToken,
      int experts,
      int tensorParallel,
      int expertParallel,
      KernelType type,
      boolean skewed) {
    this(hidden, width, perToken, experts, tensorParallel, expertParallel, 3, type, skewed);
  }

  /**
   * A site of the measured tables, which do not say whether experts have a gate: those of the
   * Nemotron models have none.
   */
  static ExpertSite ofTable(
      int hidden,
      int width,
      int perToken,
      int experts,
      int tensorParallel,
      int expertParallel,
      KernelType type,
      boolean skewed) {
    boolean nemotron = (width == 2688 && hidden == 1024) || (width == 1856 && hidden == 2688);
    return new ExpertSite(
        hidden,
        width,
        perToken,
        experts,
        tensorParallel,
        expertParallel,
        nemotron ? 2 : 3,
        type,
        skewed);
  }

  /** Experts on one GPU. */
  double expertsPerGpu() {
    return (double) experts / expertParallel;
  }

  /** The site dealt in another way to as many GPUs or not. */
  ExpertSite dealt(int slices, int groups) {
    return new ExpertSite(hidden, width, perToken, experts, slices, groups, matrices, type, skewed);
  }

  @Override
  public String toString() {
    return experts
        + " experts of "
        + hidden
        + " x "
        + width
        + ", "
        + perToken
        + " per token, "
        + type.label()
        + (skewed ? ", skewed" : "")
        + ", TP "
        + tensorParallel
        + ", EP "
        + expertParallel;
  }
}
