package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.List;

/**
 * What checkpoints with static scales, and engines that bring activations to the weights' format in
 * the kernel before, save. TensorRT-LLM's 8-bit GEMMs were timed with the scale of the activations
 * found and applied at run time; with static scales neither is done inside a GEMM, so the measured
 * time of both, smoothed by a law, is taken off. Its 4-bit GEMMs were timed with activations
 * brought to 4 bits, which the engine does in norms, activation functions and attention: the time
 * of applying a scale, which is the same pass over the same activations, is taken off.
 */
final class StaticScales {
  /** Tables of the two kernels, and names of their laws. */
  static final List<String> KERNELS = List.of("computescale", "scale_matrix");

  /** Place of the kernel that applies a scale. */
  private static final int APPLYING = 1;

  private static final double LEAST_SHARE = 0.2;
  private static final QuantizationLaw LAW = new QuantizationLaw();

  private final List<double[]> coefficients;

  StaticScales(List<double[]> coefficients) {
    this.coefficients = List.copyOf(coefficients);
  }

  /** Whether an engine's kernels of a format were timed with dynamic scales. */
  static boolean apply(KernelFamily family, KernelType type) {
    return family == KernelFamily.TRTLLM && (type == KernelType.FP8 || type == KernelType.NVFP4);
  }

  /** Fits the laws of both kernels. */
  static StaticScales fit(PerformanceData data, KernelFamily family) {
    List<double[]> laws = new ArrayList<>();
    for (String kernel : KERNELS) {
      List<double[]> rows = data.quantization(family, kernel);
      laws.add(LawFit.fit(LAW, rows, rows.stream().mapToDouble(row -> row[2]).toArray()));
    }
    return new StaticScales(laws);
  }

  List<double[]> coefficients() {
    return coefficients;
  }

  /** Microseconds of a product without them, at least a fifth of it. */
  double without(KernelType type, double micros, int m, int k) {
    double rest = micros;
    int first = type == KernelType.NVFP4 ? APPLYING : 0;
    for (double[] p :
        coefficients.subList(Math.min(first, coefficients.size()), coefficients.size())) {
      rest -= LAW.micros(p, new double[] {m, k});
    }
    return Math.max(rest, LEAST_SHARE * micros);
  }
}
