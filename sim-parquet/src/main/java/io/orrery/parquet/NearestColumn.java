package io.orrery.parquet;

import java.util.Collection;
import java.util.Locale;

/** Finds the column that somebody probably meant. */
final class NearestColumn {
  private NearestColumn() {}

  /**
   * {@code " (did you mean NAME?)"} for the first of the nearest names, or nothing if none is near.
   * Near is at most one edit per three letters, and at least one; case, {@code -} and {@code _} do
   * not count.
   */
  static String question(String word, Collection<String> names) {
    String wanted = bare(word);
    int best = Math.max(1, wanted.length() / 3) + 1;
    String nearest = "";
    for (String name : names) {
      int distance = distance(wanted, bare(name));
      if (distance < best) {
        best = distance;
        nearest = name;
      }
    }
    return nearest.isEmpty() ? "" : " (did you mean " + nearest + "?)";
  }

  private static String bare(String word) {
    String start = word.length() > 80 ? word.substring(0, 80) : word;
    return start.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        row[j] =
            i == 0
                ? j
                : Math.min(
                    above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1),
                    1 + Math.min(above[j], row[j - 1]));
      }
      int[] next = above;
      above = row;
      row = next;
    }
    return above[b.length()];
  }
}
