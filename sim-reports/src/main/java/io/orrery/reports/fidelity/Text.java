package io.orrery.reports.fidelity;

import io.orrery.scenarios.fidelity.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and tables as the pages write them. */
final class Text {
  private Text() {}

  /** {@code 5.1 %}, or a dash. */
  static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** {@code 1.04}, or a dash. */
  static String ratio(double value) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.2f", value);
  }

  /** Four significant digits at most. */
  static String number(double value) {
    int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** A row of a Markdown table. */
  static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /** The head of a Markdown table. */
  static String head(List<String> cells) {
    return row(cells) + "|" + "---|".repeat(cells.size()) + "\n";
  }

  /** Titles of judgements behind other titles. */
  static List<String> with(List<String> titles, Judgement... judgements) {
    List<String> all = new ArrayList<>(titles);
    for (Judgement judgement : judgements) {
      all.add(judgement.title());
    }
    return all;
  }
}
