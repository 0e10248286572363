package io.orrery.models.kernels;

import java.util.Arrays;

/**
 * A function known at points: {@code x} ascending and positive. Between points it is a straight
 * line, in logarithms of x where asked so; the points themselves come out exactly.
 */
final class Curve {
  final double[] x;
  final double[] y;
  private final double[] logX;

  Curve(double[] x, double[] y) {
    this.x = x;
    this.y = y;
    this.logX = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      logX[i] = StrictMath.log(x[i]);
    }
  }

  /** Points in any order; of points at the same x the lower counts. */
  static Curve ofPoints(double[][] points) {
    double[][] sorted = points.clone();
    Arrays.sort(sorted, (a, b) -> Double.compare(a[0], b[0]));
    double[] x = new double[sorted.length];
    double[] y = new double[sorted.length];
    int n = 0;
    for (double[] point : sorted) {
      if (n > 0 && x[n - 1] == point[0]) {
        y[n - 1] = Math.min(y[n - 1], point[1]);
      } else {
        x[n] = point[0];
        y[n] = point[1];
        n++;
      }
    }
    return new Curve(Arrays.copyOf(x, n), Arrays.copyOf(y, n));
  }

  int size() {
    return x.length;
  }

  double lastX() {
    return x[x.length - 1];
  }

  double lastY() {
    return y[y.length - 1];
  }

  /** Linear in x; the last segment goes on beyond the last point, the first value before it. */
  double linear(double at) {
    int n = x.length;
    if (n == 1 || at <= x[0]) {
      return y[0];
    }
    int i = at >= x[n - 1] ? n - 2 : segment(x, at);
    if (at == x[i]) {
      return y[i];
    }
    double slope = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    return at > x[n - 1]
        ? y[n - 1] + Math.max(0, slope) * (at - x[n - 1])
        : y[i] + slope * (at - x[i]);
  }

  /** Linear in the logarithm of x; the edge values are held outside. */
  double linearInLog(double at) {
    int n = x.length;
    if (at <= x[0]) {
      return y[0];
    }
    if (at >= x[n - 1]) {
      return y[n - 1];
    }
    int i = segment(x, at);
    if (at == x[i]) {
      return y[i];
    }
    double weight = (StrictMath.log(at) - logX[i]) / (logX[i + 1] - logX[i]);
    return y[i] + weight * (y[i + 1] - y[i]);
  }

  /** Index i with x[i] <= at < x[i + 1]; at lies inside. */
  static int segment(double[] x, double at) {
    int found = Arrays.binarySearch(x, at);
    return found >= 0 ? Math.min(found, x.length - 2) : -found - 2;
  }
}
