package io.orrery.reports.chart;

import java.util.Arrays;
import java.util.List;

/**
 * A value for every row and stretch of an axis, told by shade.
 *
 * @param edges of the stretches, one more than there are columns
 * @param value what the shade means; it begins at zero
 * @param cells by row, then column; NaN where there is no value
 * @param most where the shades end at least, so that several maps have one scale; 0 leaves it to
 *     the cells
 */
public record HeatMap(
    String id,
    String title,
    String description,
    Axis x,
    Axis value,
    List<String> rows,
    double[] edges,
    double[][] cells,
    double most)
    implements Chart {
  public HeatMap {
    rows = List.copyOf(rows);
    edges = Digits.rounded(edges);
    most = Digits.rounded(most);
    cells = Arrays.stream(cells).map(Digits::rounded).toArray(double[][]::new);
  }

  /** Where the shades end: the greatest value, or more where other maps have it. */
  public double max() {
    double max = most;
    for (double[] row : cells) {
      for (double cell : row) {
        max = cell > max ? cell : max;
      }
    }
    return max;
  }
}
