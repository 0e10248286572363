package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sessions by kind: those of a widespread beginning apart from the others, and each of these by the
 * number of turns. What goes together (long documents and many questions, an agent's prompt and
 * short answers) is then kept together, whatever its form.
 */
final class KindsOfSessions {
  /** A beginning is widespread that so many sessions have, and such a share of all. */
  private static final int WIDESPREAD = 100;

  private static final double WIDESPREAD_SHARE = 0.05;

  /** How many kinds there are by turns, and the least sessions of one. */
  private static final int BY_TURNS = 8;

  private static final int LEAST = 5;

  private final int[] turns;
  private final long requests;
  private final int[] kindOf;
  private final List<Integer> beginnings = new ArrayList<>();

  /**
   * @param turns of each session
   * @param tree that the first prompts begin with
   */
  KindsOfSessions(int[] turns, BeginningsFit tree) {
    this.turns = turns;
    requests = Arrays.stream(turns).asLongStream().sum();
    kindOf = new int[turns.length];
    Map<Integer, List<Integer>> byBeginning = new TreeMap<>();
    for (int s = 0; s < kindOf.length; s++) {
      byBeginning.computeIfAbsent(tree.root(s), root -> new ArrayList<>()).add(s);
    }
    List<Integer> others = new ArrayList<>();
    byBeginning.forEach(
        (root, members) -> {
          if (root >= 0
              && members.size() >= WIDESPREAD
              && members.size() >= WIDESPREAD_SHARE * kindOf.length) {
            split(root, members);
          } else {
            others.addAll(members);
          }
        });
    if (!others.isEmpty()) {
      split(-1, others);
    }
  }

  int count() {
    return beginnings.size();
  }

  int of(int session) {
    return kindOf[session];
  }

  int[] ofAll() {
    return kindOf;
  }

  /** The beginning that sessions of a kind have; −1 for any that has no kind of its own. */
  int beginning(int kind) {
    return beginnings.get(kind);
  }

  /**
   * A kind has an eighth of the requests, or of the sessions, whichever it reaches first; sessions
   * of equally many turns are of one kind.
   */
  private void split(int beginning, List<Integer> members) {
    members.sort(Comparator.comparingInt((Integer s) -> turns[s]).thenComparingInt(s -> s));
    double many = (double) requests / BY_TURNS;
    double size = (double) kindOf.length / BY_TURNS;
    int inKind = 0;
    long turnsInKind = 0;
    int left = members.size();
    int before = -1;
    for (int s : members) {
      boolean full = (inKind >= size || turnsInKind >= many) && inKind >= LEAST && left >= LEAST;
      if (before < 0 || (full && turns[s] != before)) {
        beginnings.add(beginning);
        inKind = 0;
        turnsInKind = 0;
      }
      before = turns[s];
      kindOf[s] = beginnings.size() - 1;
      inKind++;
      turnsInKind += turns[s];
      left--;
    }
  }
}
