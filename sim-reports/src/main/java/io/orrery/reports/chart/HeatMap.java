package io.orrery.reports.chart;

import java.util.Arrays;
import java.util.List;

/**
 * A value for every row and stretch of an axis, told by shade.
 *
 * @param edges of the stretches, one more than there are columns
 * @param value what the shade means; it begins at zero
 * @param cells by row, then column; NaN where there is no value
 */
public record HeatMap(
    String id,
    String title,
    String description,
    Axis x,
    Axis value,
    List<String> rows,
    double[] edges,
    double[][] cells)
    implements Chart {
  public HeatMap {
    rows = List.copyOf(rows);
    edges = Digits.rounded(edges);
    cells = Arrays.stream(cells).map(Digits::rounded).toArray(double[][]::new);
  }

  /** The greatest value, 0 without any. */
  public double max() {
    double max = 0;
    for (double[] row : cells) {
      for (double cell : row) {
        max = cell > max ? cell : max;
      }
    }
    return max;
  }
}
