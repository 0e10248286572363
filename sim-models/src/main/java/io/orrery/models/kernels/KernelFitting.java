package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Fits laws to measured tables and thins the tables to knots: what the files beside {@link
 * FittedKernels} are made with. Errors are those of a law fitted to four fifths of the rows on the
 * fifth that it has not seen, and of the knots on the rows that they leave out.
 */
public final class KernelFitting {
  private KernelFitting() {}

  /**
   * Fits everything that is known of an engine's kernels on a GPU.
   *
   * @throws MissingKernelException if a table is missing
   */
  static KernelFile fit(Gpu gpu, KernelFamily family, PerformanceData data, Catalog catalog) {
    KernelFits fits = new KernelFits();
    KernelFloor floor = new KernelFloor(gpu);
    new GemmFitting(floor, fits).fit(data, family);
    if (StaticScales.apply(family, KernelType.FP8)) {
      List<double[]> laws = StaticScales.fit(data, family).coefficients();
      for (int i = 0; i < laws.size(); i++) {
        fits.law("quantize " + StaticScales.KERNELS.get(i), laws.get(i));
      }
    }
    AttentionFitting attention = new AttentionFitting(catalog, floor, fits);
    attention.fit(data, family, false);
    attention.fit(data, family, true);
    new ExpertFitting(catalog, floor, fits).fit(data, family);
    if (data.hasLatent(family)) {
      attention.thinLatent(data, family, false);
      attention.thinLatent(data, family, true);
    }
    data.states().forEach((kernel, rows) -> fits.curvesByBatch("state/" + kernel, rows));
    keepCollective(Collective.ALL_REDUCE, data.allReduce(family), fits);
    for (Collective collective : List.of(Collective.ALL_GATHER, Collective.REDUCE_SCATTER)) {
      keepCollective(collective, data.collective(collective), fits);
    }
    return fits.file();
  }

  private static void keepCollective(
      Collective collective, Map<Integer, List<double[]>> rows, KernelFits fits) {
    rows.forEach((gpus, points) -> fits.curve(KernelKnots.word(collective) + "/" + gpus, points));
  }

  /**
   * Laws, their errors on points that they have not seen, and knots of an engine's kernels on a
   * GPU, in the format of the files that ship.
   *
   * @param folder the measured tables
   * @throws IllegalArgumentException if there are none of that GPU, or one is missing
   */
  public static List<String> laws(Path folder, Gpu gpu, KernelFamily family, Catalog catalog) {
    return fit(gpu, family, PerformanceData.open(folder, gpu), catalog).text().lines().toList();
  }

  /**
   * Writes the files of all GPUs and engines with tables.
   *
   * @param args the folder of the measured tables, the folder to write to, and the date to note
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path target = Path.of(args[1]);
    Catalog catalog = Catalog.bundled();
    for (String name : catalog.gpuNames()) {
      for (KernelFamily family : KernelFamily.values()) {
        Gpu gpu = catalog.gpu(name);
        if (PerformanceData.exist(folder, gpu, family)) {
          KernelFile file = fit(gpu, family, PerformanceData.open(folder, gpu), catalog);
          Files.writeString(
              target.resolve(FittedKernels.resource(gpu, family)),
              header(gpu, family, args[2]) + file.text(),
              StandardCharsets.UTF_8);
        }
      }
    }
  }

  private static String header(Gpu gpu, KernelFamily family, String date) {
    return String.join(
        "\n",
        "# Laws and knots of the kernels of "
            + family
            + " on "
            + gpu.title()
            + ", in microseconds.",
        "# Source: measured tables of NVIDIA aiconfigurator (github.com/ai-dynamo/aiconfigurator,",
        "#   commit 095f58a51c4ca8e61b66ec108d86f223f8d559ce), Copyright (c) 2025-2026 NVIDIA",
        "#   CORPORATION & AFFILIATES, Apache License 2.0. Changed: fitted, thinned and rounded.",
        "# Fitted on " + date + " by io.orrery.models.kernels.KernelFitting.",
        "# Errors are median, p90 and number of points that fit or knots have not seen.",
        "");
  }
}
