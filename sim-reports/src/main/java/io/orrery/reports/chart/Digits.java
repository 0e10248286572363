package io.orrery.reports.chart;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * How finely charts know their numbers. They are rounded where a chart is made, so that one that
 * was written and read again is the same chart.
 */
public final class Digits {
  /** The digits of a number. */
  public static final MathContext PRECISION = new MathContext(7);

  private Digits() {}

  static double rounded(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(PRECISION).doubleValue()
        : Double.NaN;
  }

  static double[] rounded(double[] values) {
    double[] rounded = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      rounded[i] = rounded(values[i]);
    }
    return rounded;
  }
}
