package io.orrery.models.kernels;

import io.orrery.models.StepShape;
import java.util.Arrays;
import java.util.function.ToDoubleBiFunction;

/**
 * Decode attention of all layers as a flat table: per batch size, what one sequence of a given
 * context adds, linear between knots. The time of a batch is the sum, which is the mean over its
 * sequences of the time that a batch of such sequences alone would take.
 *
 * <p>Integers in units of {@link #UNIT} per nanosecond, continuous at the knots, so that sums do
 * not depend on their order and a run of passes gives what single passes give, bit for bit.
 */
final class DecodeRows {
  /** Binary places after the nanosecond. */
  static final int SHIFT = 24;

  /** Parts of a nanosecond. */
  static final double UNIT = 1L << SHIFT;

  private static final int LARGEST_BATCH = 1024;
  private static final int LONGEST_KNOT = 1 << 17;
  private static final int SHORTEST_KNOT = 16;

  private final int[] knots;
  private final int[] octaves = new int[31];
  private final long[] values;
  private final long[] slopes;

  /**
   * Compiles the table.
   *
   * @param window an additional knot, where a sliding window ends the growth; 0 for none
   * @param nanos time of a batch of sequences of one context
   * @param floorNanos least time of such a batch
   */
  DecodeRows(
      int window,
      ToDoubleBiFunction<Integer, Integer> nanos,
      ToDoubleBiFunction<Integer, Integer> floorNanos,
      FloorCheck check) {
    this.knots = knots(window);
    int width = knots.length;
    for (int octave = 0, j = 0; octave < octaves.length; octave++) {
      while (j + 1 < width && knots[j + 1] <= 1 << octave) {
        j++;
      }
      octaves[octave] = j;
    }
    int[] batches = batches();
    double[][] grid = new double[batches.length][width];
    for (int i = 0; i < batches.length; i++) {
      for (int j = 0; j < width; j++) {
        grid[i][j] =
            check.raise(
                "decode attention",
                nanos.applyAsDouble(batches[i], knots[j]),
                floorNanos.applyAsDouble(batches[i], knots[j]));
      }
    }
    Monotone.increase(grid);
    for (int i = 0; i < batches.length; i++) {
      for (int j = 0; j < width; j++) {
        // pooling may have pulled a point below its floor again
        grid[i][j] = Math.max(grid[i][j], floorNanos.applyAsDouble(batches[i], knots[j]));
      }
    }
    this.values = new long[(LARGEST_BATCH + 1) * width];
    this.slopes = new long[(LARGEST_BATCH + 1) * width];
    double[] row = new double[width];
    for (int i = 0; i < batches.length; i++) {
      int next = i + 1 < batches.length ? batches[i + 1] : batches[i] + 1;
      for (int batch = batches[i]; batch < next; batch++) {
        double weight = (double) (batch - batches[i]) / (next - batches[i]);
        for (int j = 0; j < width; j++) {
          double high = i + 1 < batches.length ? grid[i + 1][j] : grid[i][j];
          row[j] = (grid[i][j] + weight * (high - grid[i][j])) / batch;
        }
        double floorSlope =
            floorNanos.applyAsDouble(1, 2 * LONGEST_KNOT)
                - floorNanos.applyAsDouble(1, LONGEST_KNOT);
        fill(batch, row, floorSlope / LONGEST_KNOT);
      }
    }
  }

  private void fill(int batch, double[] row, double floorSlope) {
    int width = knots.length;
    int at = batch * width;
    values[at] = (long) Math.ceil(row[0] * UNIT);
    for (int j = 0; j + 1 < width; j++) {
      long target = (long) Math.ceil(row[j + 1] * UNIT);
      long length = (long) knots[j + 1] - knots[j];
      slopes[at + j] = Math.max(0, -Math.floorDiv(values[at + j] - target, length));
      values[at + j + 1] = values[at + j] + slopes[at + j] * length;
    }
    slopes[at + width - 1] = Math.max(slopes[at + width - 2], (long) Math.ceil(floorSlope * UNIT));
  }

  private static int[] knots(int window) {
    int[] all = new int[40];
    int n = 0;
    all[n++] = 1;
    for (int knot = SHORTEST_KNOT; knot <= LONGEST_KNOT; knot *= 2) {
      all[n++] = knot;
    }
    if (window > 1) {
      all[n++] = window;
    }
    return Arrays.stream(Arrays.copyOf(all, n)).sorted().distinct().toArray();
  }

  /** 1 to 16, then eight per octave. */
  private static int[] batches() {
    int[] all = new int[80];
    int n = 0;
    for (int batch = 1;
        batch < LARGEST_BATCH;
        batch += Math.max(1, Integer.highestOneBit(batch) / 8)) {
      all[n++] = batch;
    }
    all[n++] = LARGEST_BATCH;
    return Arrays.copyOf(all, n);
  }

  private int row(int batch) {
    return Math.min(batch, LARGEST_BATCH) * knots.length;
  }

  /** Index of the last knot at or below a context. */
  private int segment(int context) {
    int j = octaves[31 - Integer.numberOfLeadingZeros(context)];
    while (j + 1 < knots.length && knots[j + 1] <= context) {
      j++;
    }
    return j;
  }

  /** What one sequence of that context adds to a batch. */
  long sequence(int batch, int context) {
    int j = segment(context);
    int at = row(batch) + j;
    return values[at] + slopes[at] * (context - knots[j]);
  }

  /**
   * All decodes of a pass.
   *
   * @param row decodes that share a GPU: all of them, or those of a group
   */
  long sum(StepShape shape, int row) {
    int batch = shape.decodeCount;
    if (batch == 0) {
      return 0;
    }
    int j = segment(shape.decodeContextMin);
    if (j + 1 == knots.length || shape.decodeContextMax < knots[j + 1]) {
      int at = row(row) + j;
      return batch * values[at] + slopes[at] * (shape.decodeContextSum - (long) batch * knots[j]);
    }
    long sum = 0;
    for (int i = 0; i < batch; i++) {
      sum += sequence(row, shape.decodeContext(i));
    }
    return sum;
  }

  /**
   * Begins a run of passes of the same decodes: the sum of the first, and in {@code changes[from +
   * t]} by how much its growth per pass changes in front of pass {@code t}, beginning with the
   * growth itself.
   *
   * @param row decodes that share a GPU
   */
  long begin(StepShape shape, int row, int steps, long[] changes, int from) {
    int batch = shape.decodeCount;
    int at = row(row);
    long sum = 0;
    long growth = 0;
    for (int i = 0; i < batch; i++) {
      int context = shape.decodeContext(i);
      int j = segment(context);
      long slope = slopes[at + j];
      sum += values[at + j] + slope * (context - knots[j]);
      growth += slope;
      for (int next = j + 1; next < knots.length && knots[next] - context < steps; next++) {
        changes[from + knots[next] - context] += slopes[at + next] - slopes[at + next - 1];
      }
    }
    changes[from] += growth;
    return sum;
  }

  /** The slope of {@link #sequence} at that context in a batch of one. */
  long slopeOfOne(int context) {
    return slopes[row(1) + segment(context)];
  }

  /** The next knot after a context, or the largest int. */
  int nextKnot(int context) {
    int j = segment(context) + 1;
    return j < knots.length ? knots[j] : Integer.MAX_VALUE;
  }
}
