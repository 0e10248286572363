package io.orrery.traces;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * Dates with times as traces write them: {@code 2023-11-16 18:17:03.9799600}, {@code 2024-05-12
 * 00:00:00+00:00}, {@code 2026-01-31T23:59:59.5Z}. Up to thirty decimals; without a zone they are
 * taken for UTC.
 */
final class WallClock {
  private static final long NANOS_PER_S = 1_000_000_000;
  private static final long SECONDS_PER_DAY = 86_400;

  /** What stands between the digits of a date and a time; the {@code T} may be a space. */
  private static final String FORM = "0000-00-00T00:00:00";

  private static final int MOST_DECIMALS = 30;
  private static final String SPACE = " \t\n\u000b\f\r";

  private WallClock() {}

  /**
   * Nanoseconds since 1970, rounded half up; {@link Decimals#OUT_OF_RANGE} where the text is no
   * such date, or not between 1970 and 2116.
   */
  static long nanos(String text) {
    if (!hasForm(text)) {
      return Decimals.OUT_OF_RANGE;
    }
    int decimals = decimalsEnd(text);
    int zone = decimals;
    if (zone < text.length() && SPACE.indexOf(text.charAt(zone)) >= 0) {
      zone++;
    }
    try {
      long days =
          LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
      LocalTime time =
          LocalTime.of(number(text, 11, 13), number(text, 14, 16), number(text, 17, 19));
      long seconds = days * SECONDS_PER_DAY + time.toSecondOfDay() - offset(text.substring(zone));
      long whole = seconds < 0 ? Decimals.OUT_OF_RANGE : Decimals.nanos(seconds, NANOS_PER_S);
      if (whole == Decimals.OUT_OF_RANGE || decimals == FORM.length()) {
        return whole;
      }
      char[] fraction = text.substring(FORM.length(), decimals).toCharArray();
      return whole + Decimals.nanos(fraction, 0, fraction.length, NANOS_PER_S);
    } catch (DateTimeException e) {
      return Decimals.OUT_OF_RANGE;
    }
  }

  private static boolean hasForm(String text) {
    if (text.length() < FORM.length()) {
      return false;
    }
    for (int i = 0; i < FORM.length(); i++) {
      char c = text.charAt(i);
      char expected = FORM.charAt(i);
      boolean fits =
          switch (expected) {
            case '0' -> isDigit(c);
            case 'T' -> c == 'T' || c == ' ';
            default -> c == expected;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** Behind a point and its decimals; where they would begin if they are not of that form. */
  private static int decimalsEnd(String text) {
    int start = FORM.length();
    if (start == text.length() || text.charAt(start) != '.') {
      return start;
    }
    int end = start + 1;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    int decimals = end - start - 1;
    return decimals == 0 || decimals > MOST_DECIMALS ? start : end;
  }

  private static int number(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + text.charAt(i) - '0';
    }
    return value;
  }

  /**
   * Seconds that a zone is before UTC.
   *
   * @throws DateTimeException where it is no zone
   */
  private static int offset(String zone) {
    if (zone.isEmpty() || zone.equalsIgnoreCase("Z") || zone.equals("UTC")) {
      return 0;
    }
    boolean hoursAndMinutes =
        zone.length() == "+0530".length() || zone.length() == "+05:30".length();
    if (!hoursAndMinutes) {
      throw new DateTimeException(zone);
    }
    return ZoneOffset.of(zone).getTotalSeconds();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
