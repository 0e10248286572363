package io.orrery.traces.columns;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** What columns of all types have in common: their segments outside the heap. */
public abstract class Column {
  private static final int FIRST_CAPACITY = 16;
  private static final int MOST_ARRAY = Integer.MAX_VALUE - 8;

  /** Where segments come from. */
  final ColumnStorage storage;

  /** Segments of equal size, while the column is not in the heap; as many as are in use. */
  ByteBuffer[] segments = {};

  /** Number of segments in use. */
  private int segmentCount;

  /** A value's segment is its index shifted by this. */
  final int shift;

  /** A value's place in its segment is its index masked with this. */
  final int mask;

  private final int width;

  /**
   * A column without values.
   *
   * @param width bytes of a value, a power of two
   */
  Column(ColumnStorage storage, int width) {
    this.storage = storage;
    this.width = width;
    int values = storage.segmentBytes() / width;
    shift = Integer.numberOfTrailingZeros(values);
    mask = values - 1;
  }

  /** Whether the values are outside the heap. */
  public final boolean isMapped() {
    return segmentCount > 0;
  }

  /**
   * Gives the space outside the heap to other columns. The column is empty then and must not be
   * used any more, by no thread.
   */
  public void release() {
    storage.giveBack(segments, segmentCount);
    segments = new ByteBuffer[0];
    segmentCount = 0;
  }

  /** How many segments are in use. */
  final int segmentCount() {
    return segmentCount;
  }

  /** Whether so many values may be in the heap. */
  final boolean fitsHeap(long values) {
    return values * width <= storage.heapBytes();
  }

  /** How many values an array of the heap should hold that is too small for so many. */
  final int grownCapacity(int capacity, long values) {
    // Half as much again: at one million rows the waste is a third, not a half.
    long grown = Math.max(Math.max(FIRST_CAPACITY, values), capacity + (long) (capacity >> 1));
    return (int) Math.min(grown, Math.min(MOST_ARRAY, storage.heapBytes() / width));
  }

  /** Makes room outside the heap for so many values; for how many there then is. */
  final int reserveSegments(long values) {
    long needed = (values + mask) >>> shift;
    while (segmentCount < needed) {
      if (segmentCount == segments.length) {
        segments = Arrays.copyOf(segments, Math.max(4, segmentCount * 2));
      }
      segments[segmentCount] = storage.take();
      segmentCount++;
    }
    return (int) Math.min(Integer.MAX_VALUE, (long) segmentCount << shift);
  }
}
