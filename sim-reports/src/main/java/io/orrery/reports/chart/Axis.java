package io.orrery.reports.chart;

import java.util.ArrayList;
import java.util.List;

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
    MILLIS("ms", true),
    SECONDS("s", true),
    SHARE("share", true),
    TOKENS("tokens", false),
    GIB("GiB", false),
    COUNT("", true);

    private final String label;
    private final boolean atMarks;

    Unit(String label, boolean atMarks) {
      this.label = label;
      this.atMarks = atMarks;
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

  /**
   * The axis in words: label, unit where neither it nor the marks say it, and the scale where it is
   * logarithmic.
   */
  public String title() {
    List<String> asides = new ArrayList<>();
    if (!unit.atMarks && !label.equals(unit.label())) {
      asides.add(unit.label());
    }
    if (scale == Scale.LOG) {
      asides.add("log scale");
    }
    return asides.isEmpty() ? label : label + " (" + String.join(", ", asides) + ")";
  }
}
