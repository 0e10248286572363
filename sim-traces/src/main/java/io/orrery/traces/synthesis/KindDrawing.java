package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws what kinds of sessions there are one after the other, and how each of them is. */
final class KindDrawing {
  private final List<SessionKind> kinds;

  /** The share of the sessions up to each kind. */
  private final double[] upTo;

  private final EvenRanks kind;
  private final List<EvenRanks> traits = new ArrayList<>();

  /** For each kind, the beginnings that its sessions may have. */
  private final List<Choice> beginnings = new ArrayList<>();

  /**
   * @param purpose what the sessions are, for streams of their own
   */
  KindDrawing(SessionShape shape, long seed, String purpose) {
    kinds = shape.kinds();
    upTo = new double[kinds.size()];
    kind = new EvenRanks(seed, purpose, 1);
    double sum = 0;
    for (int k = 0; k < upTo.length; k++) {
      sum += kinds.get(k).share();
      upTo[k] = sum;
      beginnings.add(choice(shape, kinds.get(k).beginning()));
      traits.add(new EvenRanks(seed, purpose + " " + k, Trait.values().length));
    }
  }

  /**
   * A session.
   *
   * @param ranks by {@link Trait}
   * @param beginning −1 for none
   */
  record Drawn(SessionKind kind, double[] ranks, int beginning) {}

  /** Beginnings by number, and the share of a kind's sessions up to each. */
  private record Choice(int[] beginnings, double[] upTo) {}

  Drawn next() {
    double rank = kind.next()[0];
    int k = 0;
    while (k < upTo.length - 1 && upTo[k] <= rank) {
      k++;
    }
    double[] ranks = traits.get(k).next();
    return new Drawn(kinds.get(k), ranks, beginning(beginnings.get(k), Trait.BEGINNING.of(ranks)));
  }

  private static int beginning(Choice choice, double rank) {
    int place = Arrays.binarySearch(choice.upTo, rank);
    place = place < 0 ? -place - 1 : place + 1;
    return place < choice.beginnings.length ? choice.beginnings[place] : -1;
  }

  private Choice choice(SessionShape shape, int root) {
    List<Beginning> tree = shape.beginnings();
    int[] rootOf = new int[tree.size()];
    Arrays.setAll(
        rootOf, node -> tree.get(node).parent() < 0 ? node : rootOf[tree.get(node).parent()]);
    boolean[] own = new boolean[tree.size()];
    double sessions = 0;
    for (SessionKind each : kinds) {
      sessions += each.beginning() == root ? each.share() : 0;
      if (each.beginning() >= 0) {
        own[each.beginning()] = true;
      }
    }
    int[] nodes = new int[rootOf.length];
    double[] shares = new double[rootOf.length];
    int size = 0;
    double sum = 0;
    for (int node = 0; node < rootOf.length; node++) {
      boolean fits = root < 0 ? !own[rootOf[node]] : rootOf[node] == root;
      if (fits && tree.get(node).share() > 0) {
        sum += tree.get(node).share() / sessions;
        nodes[size] = node;
        shares[size++] = sum;
      }
    }
    if (root >= 0 && size > 0) {
      // All of them have it, whatever was lost in rounding.
      shares[size - 1] = 1;
    }
    return new Choice(Arrays.copyOf(nodes, size), Arrays.copyOf(shares, size));
  }
}
