package io.orrery.engine.record;

/**
 * Log-linear buckets of the non-negative {@code long}s: {@link #SUB} of equal width for each power
 * of two, so that what is in one differs by less than one part in {@link #SUB}; small numbers have
 * a bucket each.
 */
final class LogBuckets {
  static final int SUB_BITS = 9;
  static final int SUB = 1 << SUB_BITS;

  /** Buckets are numbered below this. */
  static final int COUNT = (Long.SIZE - SUB_BITS + 1) * SUB;

  private LogBuckets() {}

  /** The bucket of a number. */
  static int of(long value) {
    if (value < SUB) {
      return (int) value;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(value) - SUB_BITS;
    return (exponent + 1) * SUB + (int) ((value >>> exponent) - SUB);
  }

  /** The middle of a bucket. */
  static double middle(int bucket) {
    if (bucket < SUB) {
      return bucket;
    }
    int exponent = bucket / SUB - 1;
    long low = ((long) (bucket % SUB) + SUB) << exponent;
    return low + ((1L << exponent) - 1) / 2.0;
  }
}
