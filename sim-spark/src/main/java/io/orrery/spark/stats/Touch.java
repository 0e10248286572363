package io.orrery.spark.stats;

import java.io.Serializable;
import java.util.Comparator;

/**
 * Consecutive blocks that a request sends, or that are its output's.
 *
 * @param owner session tree whose times may be compared; 0 if all may
 * @param start of the request, ns
 * @param row of the request
 * @param input its prompt tokens
 * @param first block
 * @param length in blocks
 * @param tokens of a block at the prompt's end that is not full; 0 for full blocks, -1 for blocks
 *     that are not the prompt's
 */
record Touch(int owner, long start, int row, int input, int first, int length, int tokens)
    implements Serializable {
  static final int NOT_SENT = -1;

  /** In time, inside the clocks that there are. */
  static final Comparator<Touch> BY_TIME =
      Comparator.comparingInt(Touch::owner)
          .thenComparingLong(Touch::start)
          .thenComparingInt(Touch::row)
          .thenComparingInt(Touch::first);

  /** As requests stand in the trace. */
  static final Comparator<Touch> BY_ROW =
      Comparator.comparingInt(Touch::row).thenComparingInt(Touch::first);
}
