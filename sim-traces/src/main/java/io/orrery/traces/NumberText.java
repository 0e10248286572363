package io.orrery.traces;

import java.math.BigDecimal;

/** Numbers that are written as texts: cells of tables, quoted numbers in JSON. */
final class NumberText {
  /** Returned where a number is not whole, or beyond 2^53. */
  static final long NOT_WHOLE = Long.MIN_VALUE;

  private static final int LONGEST = 400;
  private static final double EXACT = 1L << 53;

  /** Digits of an exponent. */
  private static final int MOST_EXPONENT = 9;

  private NumberText() {}

  /** Whether the text is a finite decimal number: {@code 12}, {@code -.5}, {@code 1.e+9}. */
  static boolean isNumber(String text) {
    int length = text.length();
    int start = text.startsWith("-") ? 1 : 0;
    int end = digitsEnd(text, start);
    int digits = end - start;
    if (end < length && text.charAt(end) == '.') {
      int decimals = digitsEnd(text, end + 1);
      digits += decimals - end - 1;
      end = decimals;
    }
    boolean ends = end == length || isExponent(text, end);
    return digits > 0 && ends && length <= LONGEST;
  }

  private static boolean isExponent(String text, int at) {
    if (text.charAt(at) != 'e' && text.charAt(at) != 'E') {
      return false;
    }
    int start = at + 1;
    if (start < text.length() && (text.charAt(start) == '-' || text.charAt(start) == '+')) {
      start++;
    }
    int digits = digitsEnd(text, start) - start;
    return digits > 0 && digits <= MOST_EXPONENT && start + digits == text.length();
  }

  private static int digitsEnd(String text, int start) {
    int end = start;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
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
    return length > 0 && length <= 18 && digitsEnd(text, 0) == length;
  }
}
