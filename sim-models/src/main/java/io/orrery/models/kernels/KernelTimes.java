package io.orrery.models.kernels;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
   * The sum over GPUs of that many 16-bit elements, left on each of them; 0 for one GPU.
   *
   * @throws MissingKernelException if nothing is known about that many GPUs
   */
  double allReduce(int gpus, long elements);

  /** Time per layer of a pass that no kernel accounts for, in microseconds. */
  default double layerGap() {
    return 0;
  }

  /** Whether 4-bit experts of one scale per 32 meet 8-bit activations in this engine. */
  boolean narrowExperts();

  /**
   * What the user should know about this source for such a worker: tables refused, substitutes,
   * extrapolations. In a fixed order, often empty.
   *
   * @param dense format of the projections
   * @param attention attention of a layer
   * @param experts experts of a layer, null for a dense model
   */
  List<String> notes(KernelType dense, AttentionSite attention, @Nullable ExpertSite experts);
}
