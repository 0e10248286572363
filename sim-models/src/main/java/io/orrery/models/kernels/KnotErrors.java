package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How far knots are from the rows that they leave out, over all sites of a kind. */
final class KnotErrors {
  private final Map<String, List<double[]>> pairs = new TreeMap<>();

  /** A row that was left out, in microseconds. */
  void add(String kind, double told, double measured) {
    pairs.computeIfAbsent(kind, k -> new ArrayList<>()).add(new double[] {told, measured});
  }

  /** Rows {@code {batch, length, microseconds}} that a table was made without. */
  void add(String kind, AttentionTable table, List<double[]> left) {
    for (double[] row : left) {
      add(kind, table.micros((int) row[0], (int) row[1]), row[2]);
    }
  }

  /** Notes the errors of every kind, in the order of their names. */
  void note(String kernel, KernelFits fits) {
    pairs.forEach(
        (kind, rows) ->
            fits.error(kernel + " " + kind + " knots", rows, row -> row[0], row -> row[1]));
  }
}
