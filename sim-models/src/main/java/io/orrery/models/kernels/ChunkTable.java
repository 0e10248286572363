package io.orrery.models.kernels;

import io.orrery.models.StepShape;
import java.util.function.ToDoubleBiFunction;

/**
 * A time as a flat table over a number of chunks of prompts in one pass (powers of two) and their
 * length, eight points an octave, linear in between, never decreasing with the length.
 */
final class ChunkTable {
  /** The longest length in the table. */
  static final int LONGEST = 1 << 20;

  private static final int FINE = 3;
  private static final int ROWS = 6;

  private final double[][] nanos = new double[ROWS][index(LONGEST) + 2];

  /** What one chunk of a pass adds to it. */
  interface Chunks {
    /**
     * Nanoseconds of one chunk.
     *
     * @param row row of the number of chunks in the pass, see {@link #row}
     * @param fresh new tokens
     * @param prefix tokens in front of them
     */
    double nanos(int row, int fresh, int prefix);
  }

  /**
   * Compiles the table.
   *
   * @param micros time for a number of chunks of one length
   * @param raise brings a time that is below what the hardware allows up to it
   */
  ChunkTable(ToDoubleBiFunction<Integer, Integer> micros, Raise raise) {
    for (int row = 0; row < ROWS; row++) {
      int chunks = 1 << row;
      double[] times = nanos[row];
      for (int i = 0; i < times.length; i++) {
        times[i] = micros.applyAsDouble(chunks, length(i));
      }
      Monotone.increase(times);
      for (int i = 0; i < times.length; i++) {
        times[i] = 1e3 * raise.micros(chunks, length(i), times[i]);
      }
    }
  }

  /** Compares a time with what the hardware allows. */
  interface Raise {
    double micros(int chunks, int length, double micros);
  }

  /** The row that serves a number of chunks. */
  static int row(int chunks) {
    return Math.min(ROWS - 1, 31 - Integer.numberOfLeadingZeros(chunks));
  }

  /** One chunk's share of a row's time. */
  static double share(int row) {
    return 1.0 / (1 << row);
  }

  /**
   * All chunks of a pass. With several groups of GPUs they are spread evenly: each group takes its
   * share of the sum, and no group is done before its own longest chunk.
   */
  static double sum(Chunks each, StepShape shape, int groups) {
    int chunks = shape.prefillCount;
    int row = row((chunks + groups - 1) / groups);
    double sum = 0;
    for (int i = 0; i < chunks; i++) {
      sum += each.nanos(row, shape.prefillNew[i], shape.prefillPrefix[i]);
    }
    if (groups == 1) {
      return sum;
    }
    double longest = 0;
    for (int i = 0; i < chunks; i++) {
      longest = Math.max(longest, each.nanos(0, shape.prefillNew[i], shape.prefillPrefix[i]));
    }
    return Math.max(longest, sum / groups);
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

  /** Nanoseconds of all chunks of a row, at most {@link #LONGEST} tokens each. */
  double at(int row, int length) {
    if (length >= LONGEST) {
      return nanos[row][index(LONGEST)];
    }
    int i = index(length);
    int low = length(i);
    double weight = (double) (length - low) / (length(i + 1) - low);
    return nanos[row][i] + weight * (nanos[row][i + 1] - nanos[row][i]);
  }
}
