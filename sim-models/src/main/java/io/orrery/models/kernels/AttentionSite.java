package io.orrery.models.kernels;

/**
 * Attention of one layer on one GPU.
 *
 * @param heads query heads on the GPU
 * @param kvHeads key and value heads on the GPU
 * @param headDim width of a head
 * @param window tokens that a query looks back on, 0 for all
 * @param kv format of the KV cache, {@link KernelType#BF16} or {@link KernelType#FP8}
 */
public record AttentionSite(int heads, int kvHeads, int headDim, int window, KernelType kv) {
  /** Bytes of one token's keys and values. */
  double kvBytesPerToken() {
    return 2.0 * kvHeads * headDim * kv.weightBytes();
  }

  /** Tokens that a query sees of a context. */
  long seen(long context) {
    return window == 0 ? context : Math.min(context, window);
  }

  @Override
  public String toString() {
    return heads
        + " heads of "
        + headDim
        + ", "
        + kvHeads
        + " KV heads in "
        + kv.label()
        + (window == 0 ? "" : ", window " + window);
  }
}
