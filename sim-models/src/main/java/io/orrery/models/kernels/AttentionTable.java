package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Measured attention of one site: a curve over the length per batch size. Decode is linear in the
 * length, as the bytes are that it fetches; prefill in a measure between its linear and its
 * quadratic part. Batch sizes in between are blended in logarithms. Beyond the longest length
 * decode grows like the next smaller batch that was measured there, or keeps its last slope;
 * prefill its last rate of query-key pairs; beyond the largest batch the time per sequence is held.
 */
final class AttentionTable {
  private final boolean decode;
  private final int window;
  private final double[] batches;
  private final Curve[] curves;

  private AttentionTable(boolean decode, int window, double[] batches, Curve[] curves) {
    this.decode = decode;
    this.window = window;
    this.batches = batches;
    this.curves = curves;
  }

  /** A table of rows {@code {batch, length, microseconds}} of a site with that window or none. */
  static AttentionTable of(boolean decode, AttentionSite site, List<double[]> rows) {
    return of(decode, site.window(), rows);
  }

  /** A table of rows {@code {batch, length, microseconds}}; 0 for no window. */
  static AttentionTable of(boolean decode, int window, List<double[]> rows) {
    TreeMap<Double, List<double[]>> byBatch = new TreeMap<>();
    for (double[] row : rows) {
      double along = decode ? row[1] : work(window, (int) row[1]);
      byBatch.computeIfAbsent(row[0], batch -> new ArrayList<>()).add(new double[] {along, row[2]});
    }
    double[] batches = byBatch.keySet().stream().mapToDouble(Double::doubleValue).toArray();
    Curve[] curves =
        byBatch.values().stream()
            .map(points -> Curve.ofPoints(points.toArray(new double[0][])))
            .toArray(Curve[]::new);
    return new AttentionTable(decode, window, batches, curves);
  }

  /** Microseconds. */
  double micros(int batch, int length) {
    int last = batches.length - 1;
    if (batch >= batches[last]) {
      return at(last, length) * (batch / batches[last]);
    }
    if (batch <= batches[0]) {
      return at(0, length);
    }
    int i = Curve.segment(batches, batch);
    double low = at(i, length);
    if (batch == batches[i]) {
      return low;
    }
    double weight =
        StrictMath.log(batch / batches[i]) / StrictMath.log(batches[i + 1] / batches[i]);
    double high = at(i + 1, length);
    return low * StrictMath.pow(high / low, weight);
  }

  private double at(int row, int length) {
    Curve curve = curves[row];
    if (decode) {
      return length <= curve.lastX() ? curve.linear(length) : beyond(row, length);
    }
    double work = work(window, length);
    if (work <= curve.lastX()) {
      return curve.linear(work);
    }
    double ratio = work / curve.lastX();
    // back from the work's axis to pairs: S·√S to S², and S to S within a window
    return curve.lastY() * (window == 0 ? StrictMath.pow(ratio, 4.0 / 3) : ratio);
  }

  /** Grows by as much per sequence as the next smaller batch that was measured there. */
  private double beyond(int row, int length) {
    Curve curve = curves[row];
    for (int other = row - 1; other >= 0; other--) {
      if (curves[other].lastX() > curve.lastX()) {
        double growth = at(other, length) - at(other, (int) curve.lastX());
        return curve.lastY() + Math.max(0, growth) * (batches[row] / batches[other]);
      }
    }
    return curve.linear(length);
  }

  /**
   * The axis along which prefill is interpolated: √(length · query-key pairs), between the linear
   * parts and the quadratic one. That is length^1.5 up to the window and linear beyond it.
   */
  private static double work(int window, int length) {
    int sight = window == 0 ? Integer.MAX_VALUE : window;
    return StrictMath.sqrt((double) length * CausalPairs.count(length, 0, sight));
  }
}
