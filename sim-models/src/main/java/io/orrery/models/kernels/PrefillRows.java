package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;
import io.orrery.models.StepShape;
import java.util.function.ToDoubleBiFunction;

/**
 * Prefill attention of the layers of one window as a flat table over the number of chunks and the
 * length of a cold prompt, eight points an octave, linear in between.
 *
 * <p>A chunk with a prefix is derived, for no table measures it: the time of the whole prompt,
 * prefix included, in proportion to the query-key pairs that are new; and at least what it takes to
 * fetch the prefix's keys and values. Several chunks take the mean over the chunks of the time that
 * as many chunks of that kind would take.
 */
final class PrefillRows {
  private static final int LONGEST = 1 << 20;
  private static final int FINE = 3;
  private static final int ROWS = 6;

  private final int window;
  private final int layers;
  private final AttentionSite site;
  private final KernelFloor floor;
  private final double[][] nanos = new double[ROWS][index(LONGEST) + 2];

  /**
   * Compiles the table.
   *
   * @param layers layers of that kind, at least 1
   * @param micros time of one layer for a number of prompts of one length
   */
  PrefillRows(
      AttentionSite site,
      int layers,
      KernelFloor floor,
      ToDoubleBiFunction<Integer, Integer> micros,
      FloorCheck check) {
    this.site = site;
    this.window = site.window() == 0 ? Integer.MAX_VALUE : site.window();
    this.layers = layers;
    this.floor = floor;
    for (int row = 0; row < ROWS; row++) {
      int chunks = 1 << row;
      double[] times = nanos[row];
      for (int i = 0; i < times.length; i++) {
        times[i] = micros.applyAsDouble(chunks, length(i));
      }
      Monotone.increase(times);
      for (int i = 0; i < times.length; i++) {
        int length = length(i);
        double least = chunks * floor.attention(site, CausalPairs.count(length, 0, window), length);
        times[i] = layers * check.raise("prefill attention", times[i], least) * 1e3;
      }
    }
  }

  /** Number of the point at or below a length: lengths to 8, then eight per octave. */
  static int index(int length) {
    int octave = 31 - Integer.numberOfLeadingZeros(length);
    if (octave <= FINE) {
      return length - 1;
    }
    int part = (length >>> (octave - FINE)) & ((1 << FINE) - 1);
    return ((octave - FINE + 1) << FINE) + part - 1;
  }

  /** The length of a point. */
  static int length(int index) {
    int position = index + 1;
    if (position < 2 << FINE) {
      return position;
    }
    int octave = (position >>> FINE) + FINE - 1;
    int part = position & ((1 << FINE) - 1);
    return (1 << octave) + (part << (octave - FINE));
  }

  /** Nanoseconds of all chunks of a pass. */
  double nanos(StepShape shape) {
    int chunks = shape.prefillCount;
    int row = Math.min(ROWS - 1, 31 - Integer.numberOfLeadingZeros(chunks));
    double scale = 1.0 / (1 << row);
    double sum = 0;
    for (int i = 0; i < chunks; i++) {
      sum += chunk(row, scale, shape.prefillNew[i], shape.prefillPrefix[i]);
    }
    return sum;
  }

  private double chunk(int row, double scale, int fresh, int prefix) {
    int whole = (int) Math.min(Integer.MAX_VALUE, (long) fresh + prefix);
    double pairs = CausalPairs.count(fresh, prefix, window);
    double time = cold(row, whole) * scale;
    if (prefix > 0) {
      time *= pairs / CausalPairs.count(whole, 0, window);
    }
    double least = floor.attention(site, pairs, CausalPairs.kvTokens(fresh, prefix, window));
    return Math.max(time, layers * least * 1e3);
  }

  private double cold(int row, int length) {
    if (length >= LONGEST) {
      double pairs = CausalPairs.count(length, 0, window);
      return nanos[row][index(LONGEST)] * (pairs / CausalPairs.count(LONGEST, 0, window));
    }
    int i = index(length);
    int low = length(i);
    double weight = (double) (length - low) / (length(i + 1) - low);
    return nanos[row][i] + weight * (nanos[row][i + 1] - nanos[row][i]);
  }
}
