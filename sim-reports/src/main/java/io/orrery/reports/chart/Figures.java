package io.orrery.reports.chart;

import io.orrery.reports.console.HumanUnits;
import java.util.Locale;

/** Numbers of charts as they are printed. */
public final class Figures {
  /** What stands for an unknown number. */
  public static final String UNKNOWN = "–";

  private Figures() {}

  /** A number with its unit, three digits. */
  public static String text(double value, Axis.Unit unit) {
    if (Double.isNaN(value)) {
      return UNKNOWN;
    }
    return switch (unit) {
      case MILLIS -> HumanUnits.millis(value);
      case SECONDS -> HumanUnits.seconds(value);
      case SHARE -> HumanUnits.percent(value);
      case GIB -> String.format(Locale.ROOT, "%.1f GiB", value);
      case TOKENS, COUNT -> HumanUnits.amount(value);
    };
  }
}
