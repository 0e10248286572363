package io.orrery.models;

import java.util.List;

/**
 * A number format of weights or of the KV cache.
 *
 * <p>Storage and arithmetic are two things. A format is stored in its own size everywhere; it is
 * computed at the rate of the matrix units that the GPU has: NVFP4 weights on a Hopper GPU are
 * fetched as 4 bits and multiplied as 16.
 */
public enum Precision {
  /** 16 bits. */
  BF16("bf16", 2),
  /** 8 bits; per-tensor or per-block scales are not counted. */
  FP8("fp8", 1),
  /** 4 bits and one 8-bit scale per 16 elements. */
  NVFP4("nvfp4", 0.5625),
  /** 4 bits and one 8-bit scale per 32 elements; experts only, the rest stays 16-bit. */
  MXFP4("mxfp4", 0.53125);

  private static final List<String> WEIGHTS = List.of("bf16", "fp8", "nvfp4", "mxfp4");
  private static final List<String> KV = List.of("bf16", "fp8", "nvfp4");

  private final String label;
  private final double bytesPerElement;

  Precision(String label, double bytesPerElement) {
    this.label = label;
    this.bytesPerElement = bytesPerElement;
  }

  /**
   * The weight precision of this name: bf16, fp8, nvfp4 or mxfp4.
   *
   * @throws IllegalArgumentException if there is none, with the nearest and all known names
   */
  public static Precision weights(String label) {
    return named("weight precision", label, WEIGHTS);
  }

  /**
   * The KV cache precision of this name: bf16, fp8 or nvfp4.
   *
   * @throws IllegalArgumentException if there is none, with the nearest and all known names
   */
  public static Precision kv(String label) {
    return named("KV precision", label, KV);
  }

  private static Precision named(String kind, String label, List<String> known) {
    for (Precision precision : values()) {
      if (precision.label.equals(label) && known.contains(label)) {
        return precision;
      }
    }
    throw new IllegalArgumentException(Names.unknown(kind, label, known));
  }

  /** The name in scenarios and reports. */
  public String label() {
    return label;
  }

  /** Stored size of an element, its share of the block scales included. */
  public double bytesPerElement() {
    return bytesPerElement;
  }

  /**
   * Peak rate in FLOP/s at which weights of this format are multiplied on a GPU.
   *
   * <p>FP8 runs on 8-bit units and NVFP4 on 4-bit units; where the GPU has none, both are widened
   * to 16 bits. MXFP4 weights meet 8-bit activations on GPUs with 4-bit units (W4A8, 8-bit rate),
   * and 16-bit activations elsewhere.
   */
  public double flopsPerSecond(Gpu gpu) {
    return switch (this) {
      case BF16 -> gpu.bf16FlopsPerSecond();
      case FP8 -> gpu.hasFp8() ? gpu.fp8FlopsPerSecond() : gpu.bf16FlopsPerSecond();
      case NVFP4 -> gpu.hasFp4() ? gpu.fp4FlopsPerSecond() : gpu.bf16FlopsPerSecond();
      case MXFP4 ->
          gpu.hasFp4() && gpu.hasFp8() ? gpu.fp8FlopsPerSecond() : gpu.bf16FlopsPerSecond();
    };
  }

  boolean forKv() {
    return KV.contains(label);
  }

  @Override
  public String toString() {
    return label;
  }
}
