package io.orrery.scenarios.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody probably meant. */
public final class Suggestions {

  private Suggestions() {}

  /**
   * The candidate nearest to a word, or empty if none is near. Near is at most one edit (insert,
   * delete, replace, swap neighbours) per three letters of the word, but at least one, ignoring
   * case, {@code -}, {@code _} and spaces. Of equally near candidates the first wins.
   */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    String wanted = bare(word);
    int best = Math.max(1, wanted.length() / 3) + 1;
    String nearest = null;
    for (String candidate : candidates) {
      int distance = distance(wanted, bare(candidate));
      if (distance < best) {
        best = distance;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** {@code " (did you mean X?)"}, or nothing. */
  public static String didYouMean(String word, Collection<String> candidates) {
    return nearest(word, candidates).map(name -> " (did you mean " + name + "?)").orElse("");
  }

  private static String bare(String word) {
    String shortened = word.length() > 80 ? word.substring(0, 80) : word;
    return shortened.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "").replace(" ", "");
  }

  /**
   * Optimal string alignment distance: edits and swaps of neighbours, no substring edited twice.
   */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        d[i][j] =
            Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
