package io.orrery.scenarios.fidelity;

import io.orrery.models.HostCosts;
import java.util.List;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.jspecify.annotations.Nullable;

/**
 * Host constants that fit measured times to first token and per output token best: least squares on
 * the logarithm of told over measured, softened (soft-L1 with a knee at 10 %) so that outliers do
 * not rule, with no constant below its least value.
 *
 * <p>Gauss–Newton steps; the bounds of a step are kept exactly, by trying every choice of constants
 * that stay at their least value. A weak pull towards the base decides what the measurements leave
 * open. Deterministic.
 */
final class HostFit {
  private static final double KNEE = 0.1;
  private static final double PULL = 1e-4;
  private static final double LEAST_MILLIS = 1e-3;
  private static final int STEPS = 60;
  private static final int HALVINGS = 20;
  private static final double ENOUGH = 1e-9;

  private final HostConstant[] constants = HostConstant.values();
  private final HostCosts base;
  private final List<Sample> samples;

  /** A run and what was measured of it. */
  record Sample(Response response, double ttftMillis, double tpotMillis) {}

  private HostFit(HostCosts base, List<Sample> samples) {
    this.base = base;
    this.samples = samples;
  }

  /** The constants that fit the samples best; all samples have one base. */
  static HostCosts fit(HostCosts base, List<Sample> samples) {
    return new HostFit(base, samples).best();
  }

  private HostCosts best() {
    int n = constants.length;
    double[] at = new double[n];
    for (int j = 0; j < n; j++) {
      at[j] = Math.max(constants[j].least(), constants[j].of(base));
    }
    double cost = cost(at);
    for (int step = 0; step < STEPS; step++) {
      double[] move = move(at);
      double before = cost;
      for (int halving = 0; halving < HALVINGS && cost >= before; halving++) {
        double[] there = at.clone();
        for (int j = 0; j < n; j++) {
          there[j] = Math.max(constants[j].least(), at[j] + StrictMath.scalb(move[j], -halving));
        }
        double moved = cost(there);
        if (moved < before) {
          at = there;
          cost = moved;
        }
      }
      if (before - cost <= ENOUGH * before) {
        break;
      }
    }
    HostCosts host = base;
    for (int j = 0; j < n; j++) {
      host = constants[j].in(host, at[j]);
    }
    return host;
  }

  /** Half the sum of softened squares. */
  private double cost(double[] at) {
    double sum = 0;
    for (Sample sample : samples) {
      sum += softened(residual(sample.response().ttftMillis(at), sample.ttftMillis()));
      sum += softened(residual(sample.response().tpotMillis(at), sample.tpotMillis()));
    }
    for (int j = 0; j < at.length; j++) {
      double pull = pull(at, j);
      sum += PULL * pull * pull / 2;
    }
    return sum;
  }

  private double pull(double[] at, int j) {
    return (at[j] - constants[j].of(base)) / constants[j].step();
  }

  private static double residual(double told, double measured) {
    return StrictMath.log(Math.max(LEAST_MILLIS, told) / measured);
  }

  private static double softened(double residual) {
    double scaled = residual / KNEE;
    return KNEE * KNEE * (StrictMath.sqrt(1 + scaled * scaled) - 1);
  }

  /** The step that the quadratic model of the cost asks for, inside the bounds. */
  private double[] move(double[] at) {
    int n = at.length;
    double[][] curvature = new double[n][n];
    double[] gradient = new double[n];
    for (Sample sample : samples) {
      Response response = sample.response();
      add(curvature, gradient, response.ttft(), response.ttftMillis(at), sample.ttftMillis());
      add(curvature, gradient, response.tpot(), response.tpotMillis(at), sample.tpotMillis());
    }
    for (int j = 0; j < n; j++) {
      double step = constants[j].step();
      curvature[j][j] += PULL / (step * step);
      gradient[j] += PULL * pull(at, j) / step;
    }
    double[] best = new double[n];
    double least = 0;
    for (int free = 1; free < 1 << n; free++) {
      double[] move = move(at, curvature, gradient, free);
      if (move != null) {
        double change = change(curvature, gradient, move);
        if (change < least) {
          least = change;
          best = move;
        }
      }
    }
    return best;
  }

  private static void add(
      double[][] curvature, double[] gradient, double[] slopes, double told, double measured) {
    double here = Math.max(LEAST_MILLIS, told);
    double residual = residual(here, measured);
    double scaled = residual / KNEE;
    double weight = 1 / StrictMath.sqrt(1 + scaled * scaled);
    for (int j = 0; j < slopes.length; j++) {
      double slope = slopes[j] / here;
      gradient[j] += weight * slope * residual;
      for (int k = 0; k < slopes.length; k++) {
        curvature[j][k] += weight * slope * slopes[k] / here;
      }
    }
  }

  /** The best step that takes all constants but the free ones to their least; null if none is. */
  private double @Nullable [] move(double[] at, double[][] curvature, double[] gradient, int free) {
    int n = at.length;
    double[] move = new double[n];
    int count = Integer.bitCount(free);
    int[] index = new int[count];
    int next = 0;
    for (int j = 0; j < n; j++) {
      if ((free >> j & 1) == 1) {
        index[next++] = j;
      } else {
        move[j] = constants[j].least() - at[j];
      }
    }
    double[][] matrix = new double[count][count];
    double[] right = new double[count];
    for (int a = 0; a < count; a++) {
      right[a] = -gradient[index[a]];
      for (int j = 0; j < n; j++) {
        right[a] -= (free >> j & 1) == 1 ? 0 : curvature[index[a]][j] * move[j];
      }
      for (int b = 0; b < count; b++) {
        matrix[a][b] = curvature[index[a]][index[b]];
      }
    }
    double[] solved;
    try {
      solved =
          new QRDecomposition(new Array2DRowRealMatrix(matrix, false))
              .getSolver()
              .solve(new ArrayRealVector(right, false))
              .toArray();
    } catch (SingularMatrixException e) {
      return null;
    }
    for (int a = 0; a < count; a++) {
      move[index[a]] = solved[a];
      if (at[index[a]] + solved[a] < constants[index[a]].least()) {
        return null;
      }
    }
    return move;
  }

  private static double change(double[][] curvature, double[] gradient, double[] move) {
    double change = 0;
    for (int j = 0; j < move.length; j++) {
      change += gradient[j] * move[j];
      for (int k = 0; k < move.length; k++) {
        change += curvature[j][k] * move[j] * move[k] / 2;
      }
    }
    return change;
  }
}
