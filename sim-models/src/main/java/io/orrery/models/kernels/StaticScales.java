package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.List;

/**
 * What checkpoints with static scales save. TensorRT-LLM's 8-bit GEMMs were timed with the scale of
 * the activations found and applied at run time; with static scales neither is done inside a GEMM,
 * so the measured time of both, smoothed by a law, is taken off.
 */
final class StaticScales {
  /** Tables of the two kernels, and names of their laws. */
  static final List<String> KERNELS = List.of("computescale", "scale_matrix");

  private static final double LEAST_SHARE = 0.2;
  private static final QuantizationLaw LAW = new QuantizationLaw();

  private final List<double[]> coefficients;

  StaticScales(List<double[]> coefficients) {
    this.coefficients = List.copyOf(coefficients);
  }

  /** Whether an engine's kernels of a format were timed with dynamic scales. */
  static boolean apply(KernelFamily family, KernelType type) {
    return family == KernelFamily.TRTLLM && type == KernelType.FP8;
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
  double without(double micros, int m, int k) {
    double rest = micros;
    for (double[] p : coefficients) {
      rest -= LAW.micros(p, new double[] {m, k});
    }
    return Math.max(rest, LEAST_SHARE * micros);
  }
}
