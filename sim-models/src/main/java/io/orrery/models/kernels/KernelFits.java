package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What is found of an engine's kernels on a GPU: laws fitted to four fifths of the rows, with their
 * error on the fifth that they have not seen, and knots. Rows are drawn by their index, so that a
 * second run gives the same coefficients.
 */
final class KernelFits {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double UNSEEN = 0.2;
  private static final int MOST_ROWS = 1500;
  private static final Comparator<double[]> BY_FIRST_TWO =
      (a, b) -> a[0] == b[0] ? Double.compare(a[1], b[1]) : Double.compare(a[0], b[0]);

  private final KernelFile file = new KernelFile();

  /** What was found so far. */
  KernelFile file() {
    return file;
  }

  /** Fits a law to four fifths of the rows, notes its error on the rest, keeps the coefficients. */
  double[] law(String key, Law law, List<double[]> rows, ToDoubleFunction<double[]> micros) {
    List<double[]> learnt = new ArrayList<>();
    List<double[]> unseen = new ArrayList<>();
    double share = Math.min(1, MOST_ROWS / (0.8 * rows.size()));
    for (int i = 0; i < rows.size(); i++) {
      double place = scattered(i);
      if (place < UNSEEN) {
        unseen.add(rows.get(i));
      } else if (place < UNSEEN + share * (1 - UNSEEN)) {
        learnt.add(rows.get(i));
      }
    }
    double[] p = LawFit.fit(law, learnt, learnt.stream().mapToDouble(micros).toArray());
    double[] rounded =
        Arrays.stream(p).map(x -> Double.parseDouble(KernelFile.rounded(x))).toArray();
    law(key, rounded);
    error(key + " law", unseen, row -> law.micros(rounded, row), micros);
    return rounded;
  }

  /** Keeps the coefficients of a law that was fitted elsewhere. */
  void law(String key, double[] coefficients) {
    file.laws.put(key, coefficients);
  }

  /** Numbers in [0, 1), spread evenly and without pattern over the indices. */
  private static double scattered(int index) {
    long mixed = (index + 1) * GOLDEN;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    return (mixed >>> 11) * 0x1p-53;
  }

  /** Notes how far what is told of some rows is from what was measured; nothing without rows. */
  void error(
      String key,
      List<double[]> rows,
      ToDoubleFunction<double[]> told,
      ToDoubleFunction<double[]> measured) {
    if (rows.isEmpty()) {
      return;
    }
    double[] errors =
        rows.stream()
            .mapToDouble(row -> Math.abs(told.applyAsDouble(row) / measured.applyAsDouble(row) - 1))
            .sorted()
            .toArray();
    file.errors.put(
        key,
        new double[] {errors[errors.length / 2], errors[errors.length * 9 / 10], errors.length});
  }

  /** Adds a knot to a curve. */
  void knot(String key, double x, double micros) {
    file.knots.computeIfAbsent(key, k -> new ArrayList<>()).add(new double[] {x, micros});
  }

  /** Keeps a curve {@code {x, microseconds}}. */
  void curve(String key, List<double[]> points) {
    file.knots.put(key, points);
  }

  /** Keeps rows {@code {batch, length, microseconds}} as a curve over the length per batch. */
  void curvesByBatch(String key, List<double[]> rows) {
    List<double[]> sorted = new ArrayList<>(rows);
    sorted.sort(BY_FIRST_TWO);
    for (double[] row : sorted) {
      knot(key + "/" + (int) row[0], row[1], row[2]);
    }
  }
}
