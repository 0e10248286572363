package io.orrery.models.kernels;

/**
 * Makes times that should grow with the work do so. Measured curves are jagged (other kernels, odd
 * tiles, single outliers); the nearest non-decreasing curve in logarithms (pool adjacent violators)
 * neither follows the outliers nor shifts the rest.
 */
final class Monotone {
  private Monotone() {}

  /** The nearest non-decreasing sequence, in place; values are positive. */
  static void increase(double[] values) {
    int n = values.length;
    double[] logs = new double[n];
    int[] sizes = new int[n];
    int pools = 0;
    for (double value : values) {
      logs[pools] = StrictMath.log(value);
      sizes[pools] = 1;
      pools++;
      while (pools > 1 && logs[pools - 2] > logs[pools - 1]) {
        int size = sizes[pools - 2] + sizes[pools - 1];
        logs[pools - 2] =
            (logs[pools - 2] * sizes[pools - 2] + logs[pools - 1] * sizes[pools - 1]) / size;
        sizes[pools - 2] = size;
        pools--;
      }
    }
    int at = 0;
    for (int pool = 0; pool < pools; pool++) {
      if (sizes[pool] == 1) {
        at++; // untouched, to the last bit
        continue;
      }
      double value = StrictMath.exp(logs[pool]);
      for (int i = 0; i < sizes[pool]; i++) {
        values[at++] = value;
      }
    }
    for (int i = 1; i < n; i++) {
      values[i] = Math.max(values[i], values[i - 1]); // rounding of exp
    }
  }

  /** Non-decreasing along both axes. */
  static void increase(double[][] grid) {
    for (double[] row : grid) {
      increase(row);
    }
    double[] column = new double[grid.length];
    for (int j = 0; j < grid[0].length; j++) {
      for (int i = 0; i < grid.length; i++) {
        column[i] = grid[i][j];
      }
      increase(column);
      for (int i = 0; i < grid.length; i++) {
        grid[i][j] = column[i];
      }
    }
    for (int i = 0; i < grid.length; i++) {
      for (int j = 0; j < grid[0].length; j++) {
        double before = j == 0 ? 0 : grid[i][j - 1];
        double smaller = i == 0 ? 0 : grid[i - 1][j];
        grid[i][j] = Math.max(grid[i][j], Math.max(before, smaller));
      }
    }
  }
}
