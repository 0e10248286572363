package io.orrery.reports.chart;

import io.orrery.reports.console.HumanUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The range of an axis and its round marks.
 *
 * @param low where the axis begins: 0, or a power of ten on a logarithmic one
 * @param high where it ends
 * @param marks round numbers in between, ends included
 */
public record Ticks(double low, double high, List<Double> marks, Axis axis) {
  private static final int WANTED = 5;

  /** Shares that sum to one may be off by so much. */
  private static final double ROUNDING = 1e-5;

  /** An axis that holds values from {@code least} (above 0 matters on a logarithmic one only). */
  public static Ticks of(Axis axis, double least, double most) {
    return axis.scale() == Axis.Scale.LOG ? log(axis, least, most) : linear(axis, most);
  }

  private static Ticks linear(Axis axis, double most) {
    double end = most > 0 ? most : 1;
    if (axis.unit() == Axis.Unit.SHARE && end > 0.5 && end <= 1 + ROUNDING) {
      end = 1;
    }
    double step = roundStep(end / WANTED);
    int count = (int) StrictMath.ceil(end / step - 1e-9);
    List<Double> marks = new ArrayList<>();
    for (int i = 0; i <= count; i++) {
      marks.add(i * step);
    }
    return new Ticks(0, count * step, marks, axis);
  }

  private static double roundStep(double raw) {
    double power = StrictMath.pow(10, StrictMath.floor(StrictMath.log10(raw)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (raw <= factor * power * (1 + 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static Ticks log(Axis axis, double least, double most) {
    double bottom = least > 0 ? least : 1;
    int from = (int) StrictMath.floor(StrictMath.log10(bottom) + 1e-9);
    int to =
        Math.max(from + 1, (int) StrictMath.ceil(StrictMath.log10(Math.max(most, bottom)) - 1e-9));
    List<Double> marks = new ArrayList<>();
    for (int power = from; power <= to; power++) {
      marks.add(StrictMath.pow(10, power));
    }
    return new Ticks(StrictMath.pow(10, from), StrictMath.pow(10, to), marks, axis);
  }

  /** Where a value lies, from 0 at the axis's beginning to 1 at its end; held within. */
  public double position(double value) {
    double share =
        axis.scale() == Axis.Scale.LOG
            ? (StrictMath.log10(Math.max(value, low)) - StrictMath.log10(low))
                / (StrictMath.log10(high) - StrictMath.log10(low))
            : (value - low) / (high - low);
    return Math.max(0, Math.min(1, share));
  }

  /** The text beside a mark, as short as it can be. */
  public String label(double mark) {
    return switch (axis.unit()) {
      case SHARE -> trimmed(100 * mark) + " %";
      case MILLIS -> short3(mark, "ms");
      case SECONDS -> short3(mark, "s");
      case TOKENS, COUNT, GIB -> amount(mark);
    };
  }

  private static String short3(double value, String unit) {
    if (unit.equals("ms") && value >= 1000) {
      return short3(value / 1000, "s");
    }
    return trimmed(value) + " " + unit;
  }

  private static String amount(double value) {
    return value >= 1e4
        ? HumanUnits.amount(value).replaceAll("\\.0+(?=\\s|$)", "")
        : trimmed(value);
  }

  private static String trimmed(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
