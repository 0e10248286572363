package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measured GEMMs of one format. Every weight shape {@code (n, k)} is a site with a curve over
 * {@code m}; curves hold the logarithm of the ratio of the measured time to a base (the hardware's
 * floor, or a fitted law), which changes slowly where times do not. Between sites that logarithm is
 * blended along {@code log n} and {@code log k}; outside the table the edge's ratio is held.
 */
final class GemmTable {
  /** What times are compared with. */
  interface Base {
    double micros(double m, double n, double k);
  }

  private final Base base;
  private final double[] ns;
  private final double[] ks;
  private final @Nullable Curve[][] sites;

  private GemmTable(Base base, double[] ns, double[] ks, @Nullable Curve[][] sites) {
    this.base = base;
    this.ns = ns;
    this.ks = ks;
    this.sites = sites;
  }

  /** A table of rows {@code {m, n, k, microseconds}}; the fastest of equal shapes counts. */
  static GemmTable of(Base base, List<double[]> rows) {
    TreeMap<Double, TreeMap<Double, List<double[]>>> byShape = new TreeMap<>();
    TreeMap<Double, Boolean> widths = new TreeMap<>();
    for (double[] row : rows) {
      widths.put(row[2], true);
      double ratio = StrictMath.log(row[3] / base.micros(row[0], row[1], row[2]));
      byShape
          .computeIfAbsent(row[1], n -> new TreeMap<>())
          .computeIfAbsent(row[2], k -> new ArrayList<>())
          .add(new double[] {row[0], ratio});
    }
    double[] ns = byShape.keySet().stream().mapToDouble(Double::doubleValue).toArray();
    double[] ks = widths.keySet().stream().mapToDouble(Double::doubleValue).toArray();
    @Nullable Curve[][] sites = new @Nullable Curve[ns.length][ks.length];
    for (int i = 0; i < ns.length; i++) {
      for (int j = 0; j < ks.length; j++) {
        List<double[]> points = byShape.getOrDefault(ns[i], new TreeMap<>()).get(ks[j]);
        if (points != null) {
          sites[i][j] = Curve.ofPoints(points.toArray(new double[0][]));
        }
      }
    }
    return new GemmTable(base, ns, ks, sites);
  }

  /** Microseconds of a product. */
  double micros(int m, int n, int k) {
    return base.micros(m, n, k) * StrictMath.exp(logRatio(m, n, k));
  }

  private double logRatio(int m, int n, int k) {
    int i = lower(ns, n);
    int j = lower(ks, k);
    double alongN = weight(ns, i, n);
    double alongK = weight(ks, j, k);
    double sum = 0;
    double weights = 0;
    for (int corner = 0; corner < 4; corner++) {
      int di = corner & 1;
      int dj = corner >> 1;
      double weight = (di == 1 ? alongN : 1 - alongN) * (dj == 1 ? alongK : 1 - alongK);
      if (weight > 0) {
        Curve curve = sites[i + di][j + dj];
        if (curve != null) {
          sum += weight * curve.linearInLog(m);
          weights += weight;
        }
      }
    }
    if (weights == 0) {
      return nearest(n, k).linearInLog(m);
    }
    return weights == 1 ? sum : sum / weights;
  }

  private Curve nearest(int n, int k) {
    Curve best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < ns.length; i++) {
      for (int j = 0; j < ks.length; j++) {
        Curve curve = sites[i][j];
        double distance = Math.abs(StrictMath.log(n / ns[i])) + Math.abs(StrictMath.log(k / ks[j]));
        if (curve != null && distance < least) {
          least = distance;
          best = curve;
        }
      }
    }
    if (best == null) {
      throw new IllegalStateException("a table without rows");
    }
    return best;
  }

  private static int lower(double[] grid, double at) {
    if (grid.length == 1 || at <= grid[0]) {
      return 0;
    }
    return at >= grid[grid.length - 1] ? grid.length - 1 : Curve.segment(grid, at);
  }

  /** Weight of the upper neighbour; 0 on a grid line and outside. */
  private static double weight(double[] grid, int lower, double at) {
    if (lower + 1 >= grid.length || at <= grid[lower]) {
      return 0;
    }
    return StrictMath.log(at / grid[lower]) / StrictMath.log(grid[lower + 1] / grid[lower]);
  }
}
