package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Dates and numbers in texts, against Java's patterns and dates. */
class WallClockTest {
  private static final Pattern DATE =
      Pattern.compile(
          "(\\d{4}-\\d{2}-\\d{2})[T ](\\d{2}:\\d{2}:\\d{2})(\\.\\d{1,30})?\\s?(Z|z|UTC|[-+]\\d{2}:?\\d{2})?");
  private static final Pattern NUMBER =
      Pattern.compile("-?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d{1,9})?");

  private static final String[] DATES = {
    "2023-11-16 18:17:03.9799600",
    "2024-05-12 00:00:00+00:00",
    "2026-01-31T23:59:59.5Z",
    "1970-01-01T00:00:00",
    "2024-02-29 12:30:00.123456789 +0530",
    "2100-12-31T24:00:00 UTC",
    "1969-12-31T23:59:59-00:30",
    "2116-01-01 00:00:00z",
    "2026-01-31T23:59:59.000000000000000000000000000001\t-18:00"
  };

  private static final String[] NUMBERS = {
    "0", "12", "-.5", "1.e+9", "3.25E-100", "-17.000e1", "123456789012345678901234567890"
  };

  @Test
  void datesAreReadAsJavaReadsThem() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      String text = i < DATES.length ? DATES[i] : edited(DATES[i % DATES.length], random);
      assertThat(WallClock.nanos(text)).as(text).isEqualTo(nanos(text));
    }
    assertThat(WallClock.nanos("1970-01-02 00:00:01.5")).isEqualTo(86_401_500_000_000L);
    assertThat(WallClock.nanos("2023-02-30 00:00:00")).isEqualTo(Decimals.OUT_OF_RANGE);
  }

  @Test
  void numbersAreToldAsAPatternTellsThem() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 200_000; i++) {
      String text = i < NUMBERS.length ? NUMBERS[i] : edited(NUMBERS[i % NUMBERS.length], random);
      assertThat(NumberText.isNumber(text)).as(text).isEqualTo(NUMBER.matcher(text).matches());
    }
    assertThat(NumberText.isNumber("")).isFalse();
    assertThat(NumberText.isNumber("1".repeat(400))).isTrue();
    assertThat(NumberText.isNumber("1".repeat(401))).isFalse();
  }

  /** The text with one to three characters put in, left out or exchanged. */
  private static String edited(String text, SplittableRandom random) {
    StringBuilder edited = new StringBuilder(text);
    for (int edits = random.nextInt(3); edits >= 0 && edited.length() > 0; edits--) {
      int at = random.nextInt(edited.length());
      char c = "0123456789-+.:eETZ zUC\t\u00a0\u0663".charAt(random.nextInt(24));
      switch (random.nextInt(3)) {
        case 0 -> edited.insert(at, c);
        case 1 -> edited.deleteCharAt(at);
        default -> edited.setCharAt(at, c);
      }
    }
    return edited.toString();
  }

  private static long nanos(String text) {
    Matcher form = DATE.matcher(text);
    if (!form.matches()) {
      return Decimals.OUT_OF_RANGE;
    }
    try {
      LocalDateTime date =
          LocalDateTime.of(LocalDate.parse(form.group(1)), LocalTime.parse(form.group(2)));
      String zone = form.group(4);
      boolean utc = zone == null || zone.equalsIgnoreCase("Z") || zone.equals("UTC");
      long seconds = date.toEpochSecond(utc ? ZoneOffset.UTC : ZoneOffset.of(zone));
      long whole = seconds < 0 ? Decimals.OUT_OF_RANGE : Decimals.nanos(seconds, 1_000_000_000);
      char[] digits = ("0" + (form.group(3) == null ? "" : form.group(3))).toCharArray();
      return whole == Decimals.OUT_OF_RANGE
          ? whole
          : whole + Decimals.nanos(digits, 0, digits.length, 1_000_000_000);
    } catch (DateTimeException e) {
      return Decimals.OUT_OF_RANGE;
    }
  }
}
