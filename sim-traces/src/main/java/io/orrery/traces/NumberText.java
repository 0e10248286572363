package io.orrery.traces;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Numbers that are written as texts: cells of tables, quoted numbers in JSON. */
final class NumberText {
  /** Returned where a number is not whole, or beyond 2^53. */
  static final long NOT_WHOLE = Long.MIN_VALUE;

  private static final int LONGEST = 400;
  private static final double EXACT = 1L << 53;
  private static final Pattern NUMBER =
      Pattern.compile("-?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d{1,9})?");

  private NumberText() {}

  /** Whether the text is a finite decimal number. */
  static boolean isNumber(String text) {
    return text.length() <= LONGEST && (isDigits(text) || NUMBER.matcher(text).matches());
  }

  /** The number as a long where it is whole and of at most 18 digits, else NOT_WHOLE. */
  static long whole(String number) {
    if (isDigits(number)) {
      return Long.parseLong(number);
    }
    BigDecimal value = new BigDecimal(number);
    if (value.signum() == 0) {
      return 0;
    }
    long magnitude = (long) value.precision() - value.scale();
    if (magnitude < 1 || magnitude > 18 || value.stripTrailingZeros().scale() > 0) {
      return NOT_WHOLE;
    }
    return value.longValueExact();
  }

  /** A double that is whole and below 2^53 as a long, else NOT_WHOLE. */
  static long whole(double number) {
    long value = (long) number;
    return value != number || Math.abs(number) > EXACT ? NOT_WHOLE : value;
  }

  private static boolean isDigits(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return length > 0 && length <= 18;
  }
}
