package io.orrery.reports.compare;

import io.orrery.reports.compare.Change.Verdict;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.PrintableText;
import java.util.List;
import java.util.Locale;

/** Comparisons for a terminal of 100 columns. */
public final class ComparisonText {
  private static final int NAME = 36;
  private static final String GREEN = "\u001b[32m";
  private static final String RED = "\u001b[31m";
  private static final String RESET = "\u001b[0m";

  private ComparisonText() {}

  /**
   * A table a comparison, the verdict last.
   *
   * @param all whether numbers that did not change are listed, too
   */
  public static String of(List<Comparison> comparisons, boolean all, boolean colour) {
    StringBuilder out = new StringBuilder();
    for (Comparison comparison : comparisons) {
      write(comparison, all, colour, out);
    }
    return out.toString();
  }

  private static void write(Comparison comparison, boolean all, boolean colour, StringBuilder out) {
    String names = comparison.after() + " against " + comparison.before();
    out.append(PrintableText.of(names)).append('\n');
    comparison
        .notes()
        .forEach(note -> out.append("  ").append(PrintableText.of(note)).append('\n'));
    String header = "%-" + NAME + "s %12s %12s %11s %8s %s%n";
    StringBuilder lines = new StringBuilder();
    for (Change change : comparison.changes()) {
      boolean telling =
          change.verdict() == Verdict.WORSE
              || change.verdict() == Verdict.BETTER
              || change.verdict() == Verdict.CHANGED;
      if (all || telling) {
        line(change, colour, lines);
      }
    }
    if (lines.length() > 0) {
      out.append(
          String.format(Locale.ROOT, header, "", "before", "after", "change", "±95 %", "")
              .replaceAll(" +(?=\\R)", "")
              .replace("\r\n", "\n"));
      out.append(lines);
    }
    out.append(PrintableText.of(comparison.verdict())).append("\n\n");
  }

  private static void line(Change change, boolean colour, StringBuilder out) {
    String text =
        String.format(
            Locale.ROOT,
            "%-" + NAME + "s %12s %12s %11s %8s %s",
            shortened(PrintableText.of(change.key())),
            number(change.before()),
            number(change.after()),
            relative(change),
            interval(change),
            sign(change.verdict()) + " " + change.verdict().label());
    String tint =
        change.verdict() == Verdict.WORSE ? RED : change.verdict() == Verdict.BETTER ? GREEN : "";
    out.append(colour ? tint : "").append(text.stripTrailing());
    out.append(colour && !tint.isEmpty() ? RESET : "").append('\n');
  }

  private static String sign(Verdict verdict) {
    return switch (verdict) {
      case WORSE -> "-";
      case BETTER -> "+";
      default -> " ";
    };
  }

  private static String shortened(String key) {
    return key.length() <= NAME ? key : "…" + key.substring(key.length() - NAME + 1);
  }

  /** A number as it stands in tables. */
  static String number(double value) {
    return (value < 0 ? "−" : "") + HumanUnits.amount(Math.abs(value));
  }

  /** A change in percent, or as a number where there was nothing before. */
  static String relative(Change change) {
    double relative = change.relative();
    if (Double.isInfinite(relative)) {
      return (relative < 0 ? "−" : "+") + HumanUnits.amount(Math.abs(change.delta()));
    }
    String sign = relative < 0 ? "−" : "+";
    return String.format(Locale.ROOT, "%s%.1f %%", sign, 100 * Math.abs(relative));
  }

  /** Half of the interval as a share of the value before; empty where there is none. */
  static String interval(Change change) {
    if (Double.isNaN(change.halfWidth())) {
      return "";
    }
    return change.before() == 0
        ? HumanUnits.amount(change.halfWidth())
        : String.format(
            Locale.ROOT, "%.1f %%", 100 * change.halfWidth() / Math.abs(change.before()));
  }
}
