package io.orrery.spark.stats;

import io.orrery.traces.TraceHeader;
import java.io.Serializable;

/**
 * What every piece must know of the whole.
 *
 * @param name of the file, for messages
 * @param range how many blocks are told together
 */
record TraceShape(
    String name, int blockSize, boolean sharedClock, boolean blocksKnown, long blocks, int range)
    implements Serializable {
  private static final int SMALLEST = 1 << 12;
  private static final int GREATEST = 1 << 20;

  /**
   * @param pieces at least so many ranges, if there are as many blocks
   */
  static TraceShape of(String name, TraceHeader header, int pieces) {
    long range = header.blockCount() / Math.max(1, pieces) + 1;
    return new TraceShape(
        name,
        header.provenance().blockSize(),
        header.sharedClock(),
        header.blocksKnown() && header.blockCount() > 0,
        header.blockCount(),
        (int) Math.max(SMALLEST, Math.min(GREATEST, range)));
  }
}
