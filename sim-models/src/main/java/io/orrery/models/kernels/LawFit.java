package io.orrery.models.kernels;

import java.util.List;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.exception.TooManyIterationsException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;

/**
 * Fits the coefficients of a law by Levenberg–Marquardt on the logarithm of predicted over measured
 * time, softened (soft-L1 with a knee at 10 %) so that outliers do not rule. Coefficients are
 * positive: the search runs on their logarithms, and stops at the law's bounds.
 *
 * <p>Deterministic: no randomness, and {@link StrictMath} throughout.
 */
public final class LawFit {
  private static final double KNEE = 0.1;
  private static final double STEP = 1e-5;
  private static final int EVALUATIONS = 400;
  private static final int ITERATIONS = 120;

  /** Factors on the start's coefficients: the search settles in the nearest valley. */
  private static final double[][] STARTS = {{1, 1}, {4, 0.25}, {0.25, 4}, {0.1, 0.1}, {8, 8}};

  private LawFit() {}

  /**
   * The best coefficients that the search finds from several starts.
   *
   * @param law the law
   * @param shapes shapes, as the law takes them
   * @param micros measured times
   */
  public static double[] fit(Law law, List<double[]> shapes, double[] micros) {
    double[] best = law.start();
    double least = Double.POSITIVE_INFINITY;
    for (double[] factors : STARTS) {
      double[] start = law.start();
      for (int i = 0; i < start.length; i++) {
        double varied = start[i] * factors[i % 2];
        start[i] = Math.min(law.largest()[i], Math.max(law.least()[i], varied));
      }
      try {
        double[] found = fit(law, start, shapes, micros);
        double cost = new ArrayRealVector(residuals(law, shapes, micros, found)).getNorm();
        if (cost < least) {
          least = cost;
          best = found;
        }
      } catch (TooManyIterationsException | TooManyEvaluationsException e) {
        continue; // another start does better
      }
    }
    return best;
  }

  /**
   * The coefficients that fit best, near a start.
   *
   * @param law the law
   * @param start where to begin, inside the law's bounds
   * @param shapes shapes, as the law takes them
   * @param micros measured times
   */
  static double[] fit(Law law, double[] start, List<double[]> shapes, double[] micros) {
    MultivariateJacobianFunction model = at -> linearized(law, shapes, micros, at);
    ArrayRealVector target = new ArrayRealVector(micros.length);
    LeastSquaresOptimizer.Optimum optimum =
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(1e-7)
            .withParameterRelativeTolerance(1e-6)
            .optimize(
                new LeastSquaresBuilder()
                    .start(log(start))
                    .model(model)
                    .target(target)
                    .maxEvaluations(EVALUATIONS)
                    .maxIterations(ITERATIONS)
                    .build());
    return coefficients(law, optimum.getPoint());
  }

  private static Pair<RealVector, RealMatrix> linearized(
      Law law, List<double[]> shapes, double[] micros, RealVector at) {
    double[] here = residuals(law, shapes, micros, coefficients(law, at));
    double[][] jacobian = new double[here.length][at.getDimension()];
    for (int j = 0; j < at.getDimension(); j++) {
      RealVector beside = at.copy();
      beside.addToEntry(j, STEP);
      double[] there = residuals(law, shapes, micros, coefficients(law, beside));
      for (int i = 0; i < here.length; i++) {
        jacobian[i][j] = (there[i] - here[i]) / STEP;
      }
    }
    return new Pair<>(new ArrayRealVector(here, false), new Array2DRowRealMatrix(jacobian, false));
  }

  private static double[] residuals(Law law, List<double[]> shapes, double[] micros, double[] p) {
    double[] residuals = new double[micros.length];
    for (int i = 0; i < micros.length; i++) {
      residuals[i] = softened(StrictMath.log(law.micros(p, shapes.get(i)) / micros[i]));
    }
    return residuals;
  }

  private static double softened(double residual) {
    double scaled = residual / KNEE;
    double soft = StrictMath.sqrt(2 * (StrictMath.sqrt(1 + scaled * scaled) - 1));
    return Math.copySign(KNEE * soft, residual);
  }

  private static double[] coefficients(Law law, RealVector logarithms) {
    double[] least = law.least();
    double[] largest = law.largest();
    double[] p = new double[least.length];
    for (int i = 0; i < p.length; i++) {
      double value = StrictMath.exp(logarithms.getEntry(i));
      p[i] = Math.min(largest[i], Math.max(least[i], value));
    }
    return p;
  }

  private static double[] log(double[] values) {
    double[] logs = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      logs[i] = StrictMath.log(values[i]);
    }
    return logs;
  }
}
