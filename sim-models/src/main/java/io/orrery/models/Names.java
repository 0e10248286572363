package io.orrery.models;

import java.util.Collection;
import java.util.Locale;

/** Messages about names: what was asked for, what is near, what there is. */
public final class Names {
  private Names() {}

  /**
   * The message for a name that is not there: {@code unknown gpu 'b20', nearest: b200, known: b200,
   * h100}. The nearest one is left out when nothing is near.
   *
   * @param kind what the name stands for, in the singular
   * @param name the name as it was given
   * @param known the names there are, in the order to print
   */
  public static String unknown(String kind, String name, Collection<String> known) {
    StringBuilder text = new StringBuilder();
    text.append("unknown ").append(kind).append(" '").append(name).append('\'');
    String nearest = nearest(name, known);
    if (!nearest.isEmpty()) {
      text.append(", nearest: ").append(nearest);
    }
    return text.append(", known: ").append(String.join(", ", known)).toString();
  }

  /**
   * The known name with the smallest edit distance, ignoring case, the first of several; empty if
   * even that one differs in more than half of the longer name.
   */
  public static String nearest(String name, Collection<String> known) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String best = "";
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = editDistance(wanted, candidate.toLowerCase(Locale.ROOT));
      if (distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
    return 2L * bestDistance <= Math.max(name.length(), best.length()) ? best : "";
  }

  /** Levenshtein distance: insertions, deletions and replacements of one character. */
  private static int editDistance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
