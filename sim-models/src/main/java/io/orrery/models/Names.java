package io.orrery.models;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Messages about names: what was asked for, what is near, what there is. */
public final class Names {
  private static final int LONGEST = 80;

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
    nearest(name, known).ifPresent(nearest -> text.append(", nearest: ").append(nearest));
    return text.append(", known: ").append(String.join(", ", known)).toString();
  }

  /** {@code " (did you mean X?)"}, or nothing. */
  public static String didYouMean(String name, Collection<String> known) {
    return nearest(name, known).map(nearest -> " (did you mean " + nearest + "?)").orElse("");
  }

  /**
   * The known name nearest to a word, or empty if none is near. Near is at most one edit (insert,
   * delete, replace, swap neighbours) per three letters of the word, but at least one, ignoring
   * case, {@code -}, {@code _} and spaces. Of equally near names the first wins.
   */
  public static Optional<String> nearest(String name, Collection<String> known) {
    String wanted = bare(name);
    int best = Math.max(1, wanted.length() / 3) + 1;
    String nearest = null;
    for (String candidate : known) {
      int distance = distance(wanted, bare(candidate));
      if (distance < best) {
        best = distance;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  private static String bare(String name) {
    String start = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    return start.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "").replace(" ", "");
  }

  /**
   * Optimal string alignment distance: edits and swaps of neighbours, no substring edited twice.
   */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
