package io.orrery.reports.chart;

/**
 * A numeric axis.
 *
 * @param label what is measured, such as "TTFT"
 * @param unit of the numbers, as it is printed; empty for plain numbers and counts
 * @param scale linear axes begin at zero; a logarithmic one is labelled so
 */
public record Axis(String label, Unit unit, Scale scale) {
  /** How numbers lie along an axis. */
  public enum Scale {
    LINEAR,
    LOG
  }

  /** What an axis counts; numbers are printed by it. */
  public enum Unit {
    MILLIS("ms"),
    SECONDS("s"),
    SHARE("share"),
    TOKENS("tokens"),
    GIB("GiB"),
    COUNT("");

    private final String label;

    Unit(String label) {
      this.label = label;
    }

    /** The unit beside an axis; empty for counts. */
    public String label() {
      return label;
    }
  }

  /** A linear axis from zero. */
  public static Axis linear(String label, Unit unit) {
    return new Axis(label, unit, Scale.LINEAR);
  }

  /** A logarithmic axis. */
  public static Axis log(String label, Unit unit) {
    return new Axis(label, unit, Scale.LOG);
  }

  /** The axis in words: label, unit and, where it is logarithmic, the scale. */
  public String title() {
    String text = label;
    if (unit != Unit.COUNT) {
      text += " (" + unit.label() + (scale == Scale.LOG ? ", log scale" : "") + ")";
    } else if (scale == Scale.LOG) {
      text += " (log scale)";
    }
    return text;
  }
}
