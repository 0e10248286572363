package io.orrery.traces;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates with times as traces write them: {@code 2023-11-16 18:17:03.9799600}, {@code 2024-05-12
 * 00:00:00+00:00}, {@code 2026-01-31T23:59:59.5Z}. Any number of decimals; without a zone they are
 * taken for UTC.
 */
final class WallClock {
  private static final long NANOS_PER_S = 1_000_000_000;
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4}-\\d{2}-\\d{2})[T ](\\d{2}:\\d{2}:\\d{2})(\\.\\d{1,30})?\\s?(Z|z|UTC|[-+]\\d{2}:?\\d{2})?");

  private WallClock() {}

  /**
   * Nanoseconds since 1970, rounded half up; {@link Decimals#OUT_OF_RANGE} where the text is no
   * such date, or not between 1970 and 2116.
   */
  static long nanos(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Decimals.OUT_OF_RANGE;
    }
    try {
      LocalDateTime date =
          LocalDateTime.of(LocalDate.parse(form.group(1)), LocalTime.parse(form.group(2)));
      long seconds = date.toEpochSecond(offset(form.group(4)));
      long whole = seconds < 0 ? Decimals.OUT_OF_RANGE : Decimals.nanos(seconds, NANOS_PER_S);
      if (whole == Decimals.OUT_OF_RANGE) {
        return whole;
      }
      String fraction = form.group(3);
      char[] digits = fraction == null ? new char[] {'0'} : ("0" + fraction).toCharArray();
      return whole + Decimals.nanos(digits, 0, digits.length, NANOS_PER_S);
    } catch (DateTimeException e) {
      return Decimals.OUT_OF_RANGE;
    }
  }

  /** Whether a date's text ends with a zone. */
  static boolean hasZone(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches() && form.group(4) != null;
  }

  private static ZoneOffset offset(@org.jspecify.annotations.Nullable String zone) {
    return zone == null || zone.equalsIgnoreCase("Z") || zone.equals("UTC")
        ? ZoneOffset.UTC
        : ZoneOffset.of(zone);
  }
}
