package io.orrery.models.kernels;

import java.util.List;

/**
 * Duration of single kernels on one GPU model with one engine's kernels, in microseconds. A source
 * answers every question about shapes that exist, or says which table it misses.
 */
public interface KernelTimes {
  /** Where the numbers come from, for reports. */
  String source();

  /**
   * A product of {@code m × k} activations and {@code k × n} weights.
   *
   * @throws MissingKernelException if nothing is known about the format
   */
  double gemm(KernelType type, int m, int n, int k);

  /**
   * Causal attention of {@code batch} prompts of {@code length} tokens, nothing cached.
   *
   * @throws MissingKernelException if nothing is known about such heads
   */
  double prefillAttention(AttentionSite site, int batch, int length);

  /**
   * Attention of {@code batch} sequences that decode one token on {@code context} tokens each,
   * their own included.
   *
   * @throws MissingKernelException if nothing is known about such heads
   */
  double decodeAttention(AttentionSite site, int batch, int context);

  /**
   * The routed experts of a layer for that many tokens.
   *
   * @throws MissingKernelException if nothing is known about such experts
   */
  double experts(ExpertSite site, int tokens);

  /**
   * A layer's whole block of latent attention for {@code batch} prompts of {@code length} tokens,
   * nothing cached.
   */
  double latentPrefill(LatentSite site, int batch, int length);

  /** The same block for {@code batch} sequences that decode one token on {@code context} each. */
  double latentDecode(LatentSite site, int batch, int context);

  /** Convolution and scan of a Mamba2 layer for {@code sequences} prompts of {@code length}. */
  double statePrefill(StateSite site, int sequences, int length);

  /** Convolution and state of a Mamba2 layer for {@code sequences} that decode one token each. */
  double stateDecode(StateSite site, int sequences);

  /**
   * A collective over GPUs; 0 for one.
   *
   * @param elements 16-bit elements: of everybody in an all-reduce, of all together otherwise
   * @throws MissingKernelException if nothing is known about that many GPUs
   */
  double collective(Collective collective, int gpus, long elements);

  /** Time per layer of a pass that no kernel accounts for, in microseconds. */
  default double layerGap() {
    return 0;
  }

  /** Whether 8-bit GEMMs with a scale per block are known; else those with one per tensor serve. */
  boolean hasBlockGemms();

  /** The same of experts. */
  boolean hasBlockExperts();

  /** Whether 4-bit experts of one scale per 32 meet 8-bit activations in this engine. */
  boolean narrowExperts();

  /**
   * What the user should know about this source for such kernels; in a fixed order, often empty.
   */
  List<String> notes(KernelUse use);
}
