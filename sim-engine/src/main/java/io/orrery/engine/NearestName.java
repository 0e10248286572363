package io.orrery.engine;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that somebody probably meant. */
public final class NearestName {
  private NearestName() {}

  /**
   * {@code " (did you mean NAME?)"} for the nearest of {@code known}, or nothing if none is near.
   */
  public static String question(String word, Collection<String> known) {
    String nearest = of(word, known);
    return nearest.isEmpty() ? "" : " (did you mean " + nearest + "?)";
  }

  /**
   * The nearest of {@code known}, or the empty text. Near is at most one edit (insert, delete,
   * replace, swap neighbours) per three letters of the word, and at least one; case, {@code -} and
   * {@code _} do not count. Of equally near names the first wins.
   */
  public static String of(String word, Collection<String> known) {
    String wanted = bare(word);
    int best = Math.max(1, wanted.length() / 3) + 1;
    String nearest = "";
    for (String name : known) {
      int distance = distance(wanted, bare(name));
      if (distance < best) {
        best = distance;
        nearest = name;
      }
    }
    return nearest;
  }

  private static String bare(String word) {
    String start = word.length() > 80 ? word.substring(0, 80) : word;
    return start.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  /** Optimal string alignment: edits and swaps of neighbours, no letter edited twice. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(cost[i - 1][j - 1] + replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
