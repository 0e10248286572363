package io.orrery.reports.summary;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Decimal numbers that print the same on every Java version. */
final class Decimals {
  private static final MathContext DIGITS = new MathContext(12, RoundingMode.HALF_EVEN);

  private Decimals() {}

  /** A finite number to twelve digits. */
  static BigDecimal of(double value) {
    return plain(new BigDecimal(value).round(DIGITS));
  }

  /** The same number without trailing zeros and without an exponent. */
  static BigDecimal plain(BigDecimal value) {
    if (value.signum() == 0) {
      return BigDecimal.ZERO;
    }
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  /** Nanoseconds as seconds, exactly. */
  static BigDecimal seconds(BigDecimal nanos) {
    return nanos.movePointLeft(9);
  }
}
