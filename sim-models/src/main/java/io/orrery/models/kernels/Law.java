package io.orrery.models.kernels;

/**
 * A formula for the time of a kernel with coefficients to be fitted. Shapes are rows of numbers, so
 * that one fitter serves all laws; each law says what stands where.
 */
public interface Law {
  /** Names of the coefficients, in order. */
  String[] coefficients();

  /** Where a fit starts; all positive. */
  double[] start();

  /** Least values that make sense. */
  double[] least();

  /** Largest values that make sense. */
  double[] largest();

  /**
   * Microseconds.
   *
   * @param p the coefficients
   * @param shape the kernel's shape
   */
  double micros(double[] p, double[] shape);

  /** A smooth maximum of two times: the longer one for large q, their sum for q = 1. */
  static double smoothMax(double a, double b, double q) {
    double high = Math.max(a, b);
    double low = Math.min(a, b);
    if (high <= 0) {
      return 0;
    }
    return high * StrictMath.pow(1 + StrictMath.pow(low / high, q), 1 / q);
  }

  /** Saturation: 0 for nothing, one half at {@code half}, 1 for plenty. */
  static double saturation(double x, double half) {
    return x / (x + half);
  }
}
