package io.orrery.reports.chart;

import io.orrery.reports.console.HumanUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The range of an axis and its round marks.
 *
 * <p>Times are marked as people say them: up to two minutes in seconds, up to two hours in minutes,
 * then in hours; on logarithmic axes 1 s, 10 s, 1 min, 10 min, 1 h, 10 h.
 *
 * @param low where the axis begins: 0, or the first mark of a logarithmic one
 * @param high where it ends
 * @param marks round numbers in between, ends included
 */
public record Ticks(double low, double high, List<Double> marks, Axis axis) {
  private static final int WANTED = 5;

  // In seconds; where the next unit begins as in HumanUnits.
  private static final double MINUTE = 60;
  private static final double HOUR = 3600;
  private static final double TWO_MINUTES = 119.5;
  private static final double TWO_HOURS = 7170;

  /** Shares that sum to one may be off by so much. */
  private static final double ROUNDING = 1e-5;

  /** An axis that holds values from {@code least} (above 0 matters on a logarithmic one only). */
  public static Ticks of(Axis axis, double least, double most) {
    return axis.scale() == Axis.Scale.LOG ? log(axis, least, most) : linear(axis, most);
  }

  private static Ticks linear(Axis axis, double most) {
    Ticks small = linear(axis, most, 1);
    // Rounding up may lead beyond the unit: 110 s end at 125 s, better at 2 min.
    double unit = timeUnit(axis, small.high);
    if (unit == 1) {
      return small;
    }
    Ticks greater = linear(axis, most, unit);
    double last = timeUnit(axis, greater.high);
    return last == unit ? greater : linear(axis, most, last);
  }

  private static Ticks linear(Axis axis, double most, double unit) {
    double end = most > 0 ? most / unit : 1;
    if (axis.unit() == Axis.Unit.SHARE && end > 0.5 && end <= 1 + ROUNDING) {
      end = 1;
    }
    double step = roundStep(end / WANTED);
    int count = (int) StrictMath.ceil(end / step - 1e-9);
    List<Double> marks = new ArrayList<>();
    for (int i = 0; i <= count; i++) {
      marks.add(i * step * unit);
    }
    return new Ticks(0, count * step * unit, marks, axis);
  }

  /** What a linear axis that ends at {@code high} counts in, in its own unit. */
  private static double timeUnit(Axis axis, double high) {
    double seconds = high / second(axis);
    if (!isTime(axis) || seconds < TWO_MINUTES) {
      return 1;
    }
    return (seconds < TWO_HOURS ? MINUTE : HOUR) * second(axis);
  }

  private static boolean isTime(Axis axis) {
    return axis.unit() == Axis.Unit.SECONDS || axis.unit() == Axis.Unit.MILLIS;
  }

  /** A second in the axis's own unit. */
  private static double second(Axis axis) {
    return axis.unit() == Axis.Unit.MILLIS ? 1000 : 1;
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
    int step = (int) StrictMath.floor(StrictMath.log10(bottom)) + 1;
    while (step(axis, step) > bottom * (1 + 1e-9)) {
      step--;
    }
    List<Double> marks = new ArrayList<>(List.of(step(axis, step)));
    do {
      marks.add(step(axis, ++step));
    } while (step(axis, step) < most * (1 - 1e-9));
    return new Ticks(marks.get(0), marks.get(marks.size() - 1), marks, axis);
  }

  /** Marks of a logarithmic axis by number: powers of ten, for times of seconds, minutes, hours. */
  private static double step(Axis axis, int number) {
    if (!isTime(axis)) {
      return StrictMath.pow(10, number);
    }
    double second = second(axis);
    int power = axis.unit() == Axis.Unit.MILLIS ? number - 3 : number;
    if (power < 2) {
      return StrictMath.pow(10, number);
    }
    return second
        * (power < 4 ? MINUTE * (power == 2 ? 1 : 10) : HOUR * StrictMath.pow(10, power - 4));
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
      case MILLIS, SECONDS -> time(mark);
      case TOKENS, COUNT, GIB -> amount(mark);
    };
  }

  /** A linear axis has one unit above seconds, a logarithmic one that of each mark. */
  private String time(double mark) {
    double seconds = mark / second(axis);
    boolean log = axis.scale() == Axis.Scale.LOG;
    double unit = log ? seconds : timeUnit(axis, high) / second(axis);
    if (unit >= HOUR) {
      return trimmed(seconds / HOUR) + " h";
    }
    if (unit >= MINUTE) {
      return trimmed(seconds / MINUTE) + " min";
    }
    return axis.unit() == Axis.Unit.MILLIS && mark < 1000
        ? trimmed(mark) + " ms"
        : trimmed(seconds) + " s";
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
