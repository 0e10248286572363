package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import io.orrery.models.Names;
import io.orrery.models.Precision;
import java.util.Arrays;

/**
 * A number format as kernels have it: how weights are stored, what the activations are, and at
 * which peak they are multiplied. The labels are those of the measured tables.
 */
public enum KernelType {
  /** 16-bit weights and activations. */
  BF16("bfloat16", Precision.BF16, 2),
  /** 8-bit weights and activations, one scale per tensor. */
  FP8("fp8", Precision.FP8, 1),
  /** 8-bit weights and activations, one scale per block of 128. */
  FP8_BLOCK("fp8_block", Precision.FP8, 1),
  /** 4-bit weights and activations, one 8-bit scale per 16. */
  NVFP4("nvfp4", Precision.NVFP4, 0.5625),
  /** 4-bit weights (one scale per 32) widened to 16 bits. */
  MXFP4_BF16("w4a16_mxfp4", Precision.MXFP4, 2),
  /** 4-bit weights (one scale per 32), 8-bit activations. */
  MXFP4_FP8("w4a8_mxfp4_mxfp8", Precision.MXFP4, 1);

  private final String label;
  private final Precision weights;
  private final double activationBytes;

  KernelType(String label, Precision weights, double activationBytes) {
    this.label = label;
    this.weights = weights;
    this.activationBytes = activationBytes;
  }

  /**
   * The type of that label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static KernelType labelled(String label) {
    for (KernelType type : values()) {
      if (type.label.equals(label)) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        Names.unknown(
            "kernel type", label, Arrays.stream(values()).map(KernelType::label).toList()));
  }

  /** Whether a table's label is one of these types; tables hold others too. */
  static boolean isKnown(String label) {
    return Arrays.stream(values()).anyMatch(type -> type.label.equals(label));
  }

  /** The name in tables. */
  public String label() {
    return label;
  }

  /** Stored size of a weight. */
  public double weightBytes() {
    return weights.bytesPerElement();
  }

  /** Size of an activation that is read. */
  public double activationBytes() {
    return activationBytes;
  }

  /** Peak rate of its products on a GPU; 4-bit weights with 16-bit activations run at 16 bits. */
  public double flopsPerSecond(Gpu gpu) {
    return this == MXFP4_BF16 ? gpu.bf16FlopsPerSecond() : weights.flopsPerSecond(gpu);
  }

  /** Whether 16-bit activations are brought to the weights' format inside the timed kernel. */
  boolean quantizesActivations() {
    return this == FP8 || this == FP8_BLOCK || this == NVFP4;
  }
}
