package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Fits and thins experts: rows {@code {tokens, microseconds}} per site, the fastest kernel of each.
 * Laws hold for all sites of a number format and load; knots are kept of the sites that a model of
 * the catalogue has.
 */
final class ExpertFitting {
  private static final int[] TOKENS = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384
  };

  private final Catalog catalog;
  private final KernelFloor floor;
  private final KernelFits fits;

  ExpertFitting(Catalog catalog, KernelFloor floor, KernelFits fits) {
    this.catalog = catalog;
    this.floor = floor;
    this.fits = fits;
  }

  void fit(PerformanceData data, KernelFamily family) {
    Map<String, List<double[]>> byKind = new TreeMap<>();
    Map<String, KernelType> types = new LinkedHashMap<>();
    KnotErrors errors = new KnotErrors();
    data.experts(family)
        .forEach(
            (site, rows) -> {
              if (TableDefects.reason(family, data.system(), "moe", site.type()) != null) {
                return;
              }
              String kind = KernelFile.kind(site.type(), site.skewed());
              types.put(kind, site.type());
              Curve fastest = Curve.ofPoints(rows.toArray(new double[0][]));
              byKind.computeIfAbsent(kind, k -> new ArrayList<>()).addAll(shapes(site, fastest));
              if (KernelShapes.wanted(catalog, site)) {
                thin(site, fastest, kind, errors);
              }
            });
    byKind.forEach(
        (kind, rows) -> {
          Law law = new ExpertLaw(types.getOrDefault(kind, KernelType.BF16), floor);
          fits.law("experts " + kind, law, rows, row -> row[row.length - 1]);
        });
    errors.note("experts", fits);
  }

  /** Shapes as the law takes them, with the time behind. */
  private static List<double[]> shapes(ExpertSite site, Curve measured) {
    List<double[]> shapes = new ArrayList<>();
    for (int i = 0; i < measured.size(); i++) {
      double[] shape = ExpertLaw.shape(site, (int) measured.x[i]);
      double[] row = Arrays.copyOf(shape, shape.length + 1);
      row[shape.length] = measured.y[i];
      shapes.add(row);
    }
    return shapes;
  }

  private void thin(ExpertSite site, Curve measured, String kind, KnotErrors errors) {
    List<double[]> kept = new ArrayList<>();
    for (int i = 0; i < measured.size(); i++) {
      if (isKnot(measured.x[i])) {
        kept.add(new double[] {measured.x[i], measured.y[i]});
      }
    }
    fits.curve(KernelFile.key(site), kept);
    Curve thinned = Curve.ofPoints(kept.toArray(new double[0][]));
    for (int i = 0; i < measured.size(); i++) {
      if (!isKnot(measured.x[i])) {
        errors.add(kind, thinned.linear(measured.x[i]), measured.y[i]);
      }
    }
  }

  private static boolean isKnot(double tokens) {
    return Arrays.binarySearch(TOKENS, (int) tokens) >= 0;
  }
}
