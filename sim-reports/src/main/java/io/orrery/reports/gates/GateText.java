package io.orrery.reports.gates;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.gates.GateResult.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Results of gates in words. */
public final class GateText {
  private GateText() {}

  /**
   * A line a gate, worst first, and the verdict.
   *
   * @param all whether gates that passed are listed, too
   * @param changes numbers that are not the baseline's
   */
  public static String of(List<GateResult> results, boolean all, int changes) {
    StringBuilder out = new StringBuilder();
    for (GateResult result : results) {
      if (all || result.outcome() != Outcome.PASSED) {
        out.append(line(result)).append('\n');
      }
    }
    return out.append(verdict(results, changes)).append('\n').toString();
  }

  /** A gate's result in a line. */
  public static String line(GateResult result) {
    return String.format(
        Locale.ROOT,
        "%-7s %s: %s (%s)",
        label(result.outcome()),
        result.variant(),
        result.expression().text(),
        detail(result));
  }

  static String label(Outcome outcome) {
    return switch (outcome) {
      case PASSED -> "ok";
      case WARNED -> "WARN";
      case FAILED -> "FAIL";
      case UNKNOWN -> "UNKNOWN";
    };
  }

  /** The numbers behind a result. */
  static String detail(GateResult result) {
    if (result.value().isEmpty()) {
      return "the run has no such number";
    }
    if (result.limit().isEmpty()) {
      return "found " + number(result.value()) + ", the baseline has no such number";
    }
    String text = "found " + number(result.value()) + ", limit " + number(result.limit());
    OptionalDouble baseline = result.baseline();
    if (baseline.isPresent() && result.value().isPresent() && baseline.getAsDouble() != 0) {
      double change = result.value().getAsDouble() / baseline.getAsDouble() - 1;
      text +=
          String.format(
              Locale.ROOT,
              ", baseline %s, %s%.2f %%",
              number(baseline),
              change < 0 ? "−" : "+",
              100 * Math.abs(change));
    }
    return text;
  }

  private static String number(OptionalDouble value) {
    double number = value.orElse(Double.NaN);
    boolean whole = number == Math.rint(number) || Math.abs(number) >= 1e5;
    return whole && Math.abs(number) < 1e15
        ? HumanUnits.count(number)
        : String.format(Locale.ROOT, "%.6g", number);
  }

  /**
   * All gates in a line.
   *
   * @param changes numbers that are not the baseline's
   */
  public static String verdict(List<GateResult> results, int changes) {
    String tail =
        changes == 0
            ? ""
            : changes == 1
                ? "; 1 number is not as in the baseline"
                : "; " + changes + " numbers are not as in the baseline";
    return verdict(results) + tail;
  }

  private static String verdict(List<GateResult> results) {
    long failed = results.stream().filter(GateResult::failed).count();
    long warned = results.stream().filter(r -> r.outcome() == Outcome.WARNED).count();
    if (failed > 0) {
      return "failed: "
          + failed
          + " of "
          + results.size()
          + " gates, worst "
          + results.get(0).expression().key()
          + " of "
          + results.get(0).variant()
          + (warned > 0 ? "; " + warned + " warned" : "");
    }
    return "passed: "
        + results.size()
        + (results.size() == 1 ? " gate" : " gates")
        + (warned > 0 ? ", " + warned + " warned" : "");
  }
}
