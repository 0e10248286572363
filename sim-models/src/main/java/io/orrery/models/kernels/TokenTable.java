package io.orrery.models.kernels;

import java.util.List;
import java.util.TreeSet;

/**
 * Operators that depend on a number of tokens alone, summed into one array: evaluated at a grid
 * that holds the edges of usual GEMM tiles, linear in between, never decreasing.
 */
final class TokenTable {
  private TokenTable() {}

  /**
   * Compiles the sum.
   *
   * @param factor nanoseconds per microsecond of the operators
   * @param fixedNanos added to every entry
   * @param nanosPerToken added per token
   */
  static long[] compile(
      List<TokenOperator> operators,
      int largest,
      double factor,
      double fixedNanos,
      double nanosPerToken,
      FloorCheck check) {
    int[] grid = grid(largest);
    double[] sum = new double[largest + 1];
    for (TokenOperator operator : operators) {
      double[] nanos = new double[grid.length];
      for (int i = 0; i < grid.length; i++) {
        nanos[i] = operator.micros().applyAsDouble(grid[i]) * factor;
      }
      Monotone.increase(nanos);
      int segment = 0;
      for (int tokens = 1; tokens <= largest; tokens++) {
        while (segment + 2 < grid.length && grid[segment + 1] <= tokens) {
          segment++;
        }
        double value = nanos[segment];
        if (grid.length > 1) {
          double weight = (double) (tokens - grid[segment]) / (grid[segment + 1] - grid[segment]);
          value += weight * (nanos[segment + 1] - nanos[segment]);
        }
        double floor = operator.floorMicros().applyAsDouble(tokens) * 1e3;
        sum[tokens] += operator.count() * check.raise(operator.name(), value, floor);
      }
    }
    long[] units = new long[largest + 1];
    for (int tokens = 1; tokens <= largest; tokens++) {
      long entry = OperatorStepTime.units(sum[tokens] + fixedNanos + tokens * nanosPerToken);
      units[tokens] = Math.max(units[tokens - 1], entry);
    }
    return units;
  }

  /** An entry; beyond the table in proportion to the last one. */
  static long at(long[] units, int tokens) {
    int last = units.length - 1;
    if (tokens <= last) {
      return units[tokens];
    }
    return (long) Math.ceil((double) units[last] * tokens / last);
  }

  private static int[] grid(int largest) {
    TreeSet<Integer> points = new TreeSet<>();
    for (int tokens = 1; tokens <= largest; tokens++) {
      int step = tokens < 64 ? 1 : tokens < 256 ? 4 : tokens < 1024 ? 16 : tokens < 4096 ? 64 : 256;
      boolean tileEdge = tokens > 64 && (tokens - 1) % (tokens < 256 ? 16 : 256) == 0;
      if (tokens % step == 0 || tileEdge || tokens == 1 || tokens == largest) {
        points.add(tokens);
      }
    }
    return points.stream().mapToInt(Integer::intValue).toArray();
  }
}
