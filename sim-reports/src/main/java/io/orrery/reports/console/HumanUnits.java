package io.orrery.reports.console;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them: three digits and a unit of the right size. */
public final class HumanUnits {
  private HumanUnits() {}

  /**
   * A duration in milliseconds, as {@code 0.42 ms}, {@code 123 ms}, {@code 4.10 s}, {@code 2.5 h}.
   */
  public static String millis(double millis) {
    if (millis == 0) {
      return "0 ms";
    }
    if (millis < 999.5) {
      return threeDigits(millis) + " ms";
    }
    return seconds(millis / 1000);
  }

  /** A duration in seconds, as {@code 4.10 s}, {@code 12.3 min}, {@code 2.50 h}. */
  public static String seconds(double seconds) {
    if (seconds > 0 && seconds < 0.9995) {
      return millis(seconds * 1000);
    }
    if (seconds < 119.5) {
      return threeDigits(seconds) + " s";
    }
    double minutes = seconds / 60;
    return minutes < 119.5 ? threeDigits(minutes) + " min" : threeDigits(minutes / 60) + " h";
  }

  /** A number as {@code 0.42}, {@code 12.3}, {@code 1,234}, {@code 1.23 M}, {@code 3.31 G}. */
  public static String amount(double amount) {
    if (amount < 999_500) {
      return amount < 999.5 ? threeDigits(amount) : count(Math.round(amount));
    }
    if (amount < 999.5e6) {
      return threeDigits(amount / 1e6) + " M";
    }
    return amount < 999.5e9 ? threeDigits(amount / 1e9) + " G" : threeDigits(amount / 1e12) + " T";
  }

  /** A whole number with commas. */
  public static String count(double count) {
    return String.format(Locale.ROOT, "%,d", Math.round(count));
  }

  /** So many things: {@code 1 request}, {@code 2,000 requests}. */
  public static String count(double count, String thing) {
    return count(count) + " " + thing + (count == 1 ? "" : "s");
  }

  /** A share as {@code 55.1 %}. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** A change as {@code −85 %} or {@code +12 %}, whole percents. */
  public static String change(double from, double to) {
    long percent = Math.round(100 * (to / from - 1));
    return (percent < 0 ? "−" + -percent : "+" + percent) + " %";
  }

  private static String threeDigits(double value) {
    double size = Math.abs(value);
    if (size >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 9.995) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    if (size > 0 && size < 0.00995) {
      // Two decimals would print what is small as nothing.
      return new BigDecimal(value).round(new MathContext(2)).toPlainString();
    }
    return String.format(Locale.ROOT, size == 0 ? "%.0f" : "%.2f", value);
  }
}
