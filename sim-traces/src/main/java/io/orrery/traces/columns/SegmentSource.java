package io.orrery.traces.columns;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Gives memory outside the heap, a segment at a time. */
@FunctionalInterface
public interface SegmentSource {
  /**
   * A direct buffer that nobody else has.
   *
   * @param bytes its capacity
   * @throws IOException where there is no room for it; nothing of it is then left behind
   */
  ByteBuffer segment(int bytes) throws IOException;
}
