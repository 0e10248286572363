package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Fits and thins matrix products: rows {@code {m, n, k, microseconds}} per number format. */
final class GemmFitting {
  /**
   * Shorter sides than a model has are timed, too; they would pull the law away from the others.
   */
  private static final int SMALLEST_SIDE = 256;

  private static final int[] TOKENS = {
    1, 4, 8, 16, 17, 32, 33, 64, 65, 96, 128, 129, 192, 256, 257, 512, 768, 1024, 2048, 4096, 8192,
    16384
  };
  private static final int[] SIDES = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536};

  private final KernelFloor floor;
  private final KernelFits fits;

  GemmFitting(KernelFloor floor, KernelFits fits) {
    this.floor = floor;
    this.fits = fits;
  }

  void fit(PerformanceData data, KernelFamily family) {
    tables(data, family).forEach(this::fit);
  }

  /** An engine's tables; a defective one is TensorRT-LLM's, or missing where that has none. */
  private static Map<KernelType, List<double[]>> tables(PerformanceData data, KernelFamily family) {
    Map<KernelType, List<double[]>> tables = data.gemm(family);
    if (tables.containsKey(KernelType.FP8_BLOCK)
        && TableDefects.reason(family, data.system(), "gemm", KernelType.FP8_BLOCK) != null) {
      tables.remove(KernelType.FP8_BLOCK);
      List<double[]> other =
          data.hasGemm(KernelFamily.TRTLLM)
              ? data.gemm(KernelFamily.TRTLLM).get(KernelType.FP8_BLOCK)
              : null;
      if (other != null) {
        tables.put(KernelType.FP8_BLOCK, other);
      }
    }
    return tables;
  }

  private void fit(KernelType type, List<double[]> rows) {
    String kernel = "gemm " + type.label();
    GemmLaw law = new GemmLaw(type, floor);
    double[] p = fits.law(kernel, law, ofUsualSides(rows), row -> row[3]);
    List<double[]> kept = new ArrayList<>();
    List<double[]> left = new ArrayList<>();
    for (double[] row : rows) {
      if (isKnot(row)) {
        kept.add(row);
        fits.knot("gemm/" + type.label() + "/" + (int) row[1] + "/" + (int) row[2], row[0], row[3]);
      } else {
        left.add(row);
      }
    }
    GemmTable table = GemmTable.of((m, n, k) -> law.micros(p, new double[] {m, n, k}), kept);
    fits.error(
        kernel + " knots",
        ofUsualSides(left),
        row -> table.micros((int) row[0], (int) row[1], (int) row[2]),
        row -> row[3]);
  }

  private static List<double[]> ofUsualSides(List<double[]> rows) {
    return rows.stream().filter(row -> row[1] >= SMALLEST_SIDE && row[2] >= SMALLEST_SIDE).toList();
  }

  private static boolean isKnot(double[] row) {
    return isOneOf(TOKENS, row[0]) && isOneOf(SIDES, row[1]) && isOneOf(SIDES, row[2]);
  }

  private static boolean isOneOf(int[] sorted, double value) {
    return Arrays.binarySearch(sorted, (int) value) >= 0;
  }
}
