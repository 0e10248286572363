package io.orrery.traces.analysis;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * A sum of longs in 128 bits: exact, and so the same in whatever order and in however many parts.
 */
public final class ExactSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private long high;
  private long low;

  /** Adds a number. */
  public void add(long value) {
    add(value >> 63, value);
  }

  /** Adds a number so many times. */
  public void addTimes(long value, long times) {
    add(Math.multiplyHigh(value, times), value * times);
  }

  /** Adds a sum. */
  public void add(ExactSum other) {
    add(other.high, other.low);
  }

  private void add(long otherHigh, long otherLow) {
    long before = low;
    low += otherLow;
    high += otherHigh + (Long.compareUnsigned(low, before) < 0 ? 1 : 0);
  }

  /** The sum, rounded once. */
  public double value() {
    if (high == low >> 63) {
      return low;
    }
    return BigInteger.valueOf(high)
        .shiftLeft(64)
        .add(BigInteger.valueOf(low >>> 1).shiftLeft(1))
        .add(BigInteger.valueOf(low & 1))
        .doubleValue();
  }
}
