package io.orrery.traces;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Exact conversion of decimal numbers in some unit to whole nanoseconds, without passing through a
 * double.
 */
final class Decimals {
  /** Returned where a number does not fit. */
  static final long OUT_OF_RANGE = Long.MIN_VALUE;

  /** The largest time, about 146 years: the sum of two of them is a long. */
  static final long MAX_NANOS = Long.MAX_VALUE / 2;

  private Decimals() {}

  /**
   * The number times {@code nanosPerUnit}, rounded half up (away from zero) to a whole nanosecond.
   *
   * @param text holds a JSON number at [start, start + length)
   * @return nanoseconds, {@link #OUT_OF_RANGE} where their absolute value exceeds {@link
   *     #MAX_NANOS}
   */
  static long nanos(char[] text, int start, int length, long nanosPerUnit) {
    int end = start + length;
    int i = start;
    boolean negative = text[i] == '-';
    if (negative) {
      i++;
    }
    long digits = 0;
    int count = 0;
    int fraction = -1;
    for (; i < end; i++) {
      char c = text[i];
      if (c == '.') {
        fraction = 0;
      } else if (c < '0' || c > '9' || count == 18) {
        return general(new String(text, start, length), nanosPerUnit);
      } else {
        digits = digits * 10 + (c - '0');
        count += digits == 0 ? 0 : 1;
        fraction += fraction < 0 ? 0 : 1;
      }
    }
    long nanos = scaled(digits, Math.max(0, fraction), nanosPerUnit);
    return nanos == OUT_OF_RANGE || !negative ? nanos : -nanos;
  }

  /** A whole number of units in nanoseconds. */
  static long nanos(long units, long nanosPerUnit) {
    long most = MAX_NANOS / nanosPerUnit;
    return units > most || units < -most ? OUT_OF_RANGE : units * nanosPerUnit;
  }

  private static long scaled(long digits, int fraction, long nanosPerUnit) {
    long scale = nanosPerUnit;
    int left = fraction;
    while (left > 0 && scale % 10 == 0) {
      scale /= 10;
      left--;
    }
    if (left > 0 && scale > 1) {
      // no power of ten: minutes
      return general(BigDecimal.valueOf(digits, fraction), nanosPerUnit);
    }
    if (left == 0) {
      return nanos(digits, scale);
    }
    if (left > 18) {
      return 0;
    }
    long divisor = 1;
    for (int i = 0; i < left; i++) {
      divisor *= 10;
    }
    long quotient = digits / divisor;
    return nanos(digits % divisor >= divisor / 2 ? quotient + 1 : quotient, 1);
  }

  /** A number whose exponent no {@code int} holds: next to nothing, or far too much. */
  private static long ofHugeExponent(String number) {
    int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
    if (exponent < 0) {
      throw new IllegalArgumentException("no number: " + number);
    }
    boolean zero = number.substring(0, exponent).chars().noneMatch(c -> c >= '1' && c <= '9');
    return zero || number.charAt(exponent + 1) == '-' ? 0 : OUT_OF_RANGE;
  }

  private static long general(String number, long nanosPerUnit) {
    try {
      return general(new BigDecimal(number), nanosPerUnit);
    } catch (NumberFormatException e) {
      return ofHugeExponent(number);
    }
  }

  private static long general(BigDecimal value, long nanosPerUnit) {
    long magnitude = (long) value.precision() - value.scale();
    if (value.signum() == 0 || magnitude < -30) {
      return 0;
    }
    if (magnitude > 30) {
      return OUT_OF_RANGE;
    }
    BigDecimal nanos =
        value.multiply(BigDecimal.valueOf(nanosPerUnit)).setScale(0, RoundingMode.HALF_UP);
    return nanos.abs().compareTo(BigDecimal.valueOf(MAX_NANOS)) > 0
        ? OUT_OF_RANGE
        : nanos.longValueExact();
  }
}
