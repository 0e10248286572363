package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fits how prompts grow. */
final class GrowthFit {
  private static final int TURN_GROUPS = 5;
  private static final int CONTEXT_GROUPS = 3;

  /** Fewer samples are no distribution of their own. */
  private static final int LEAST = 50;

  private final KindsOfSessions kinds;
  private final List<Grown> byTurn = new ArrayList<>();
  private final Grown all = new Grown();

  GrowthFit(KindsOfSessions kinds) {
    this.kinds = kinds;
    for (int g = 0; g < TURN_GROUPS; g++) {
      byTurn.add(new Grown());
    }
  }

  /** Samples: the prompt before, what was added, and whose session it was. */
  private static final class Grown {
    private final Samples contexts = new Samples();
    private final Samples tokens = new Samples();
    private final Samples sessions = new Samples();

    void add(double context, double added, double session) {
      contexts.add(context);
      tokens.add(added);
      sessions.add(session);
    }

    /** Those of contexts that are longer than one length, and not than another. */
    Grown between(double above, double upTo) {
      Grown part = new Grown();
      for (int i = 0; i < tokens.size(); i++) {
        if (contexts.get(i) > above && contexts.get(i) <= upTo) {
          part.add(contexts.get(i), tokens.get(i), sessions.get(i));
        }
      }
      return part;
    }
  }

  /**
   * What a prompt grew by.
   *
   * @param turns since its context began or was compacted, at least 1
   * @param context tokens of the prompt before
   */
  void add(int session, int turns, int context, double tokens) {
    byTurn.get(Growth.group(turns, TURN_GROUPS)).add(context, tokens, session);
    all.add(context, tokens, session);
  }

  /**
   * Growth, and a pace for each kind of sessions.
   *
   * @param growth null where nothing grew
   */
  record Result(@Nullable Growth growth, List<Pace> paces) {}

  Result result() {
    List<Growth.ByContext> growths = new ArrayList<>();
    List<PaceFit> paces = new ArrayList<>();
    for (Grown group : byTurn) {
      Grown usual = group.tokens.size() < LEAST ? all : group;
      List<Integer> upTo = limits(usual);
      List<Knots> knots = new ArrayList<>();
      for (int g = 0; g <= upTo.size(); g++) {
        double above = g == 0 ? -1 : upTo.get(g - 1);
        double most = g == upTo.size() ? Double.MAX_VALUE : upTo.get(g);
        Knots distribution = usual.between(above, most).tokens.knots();
        if (distribution != null) {
          knots.add(distribution);
        }
        paces.add(pace(group.between(above, most)));
      }
      if (knots.size() == upTo.size() + 1) {
        growths.add(new Growth.ByContext(upTo, knots));
      }
    }
    PaceFit[] others = paces.subList(1, paces.size()).toArray(new PaceFit[0]);
    return new Result(growths.isEmpty() ? null : new Growth(growths), paces.get(0).paces(others));
  }

  private PaceFit pace(Grown grown) {
    PaceFit fit = new PaceFit(kinds.ofAll(), kinds.count(), false);
    for (int i = 0; i < grown.tokens.size(); i++) {
      fit.add((int) grown.sessions.get(i), grown.tokens.get(i));
    }
    return fit;
  }

  /** Lengths that cut the contexts in thirds; none where there are too few. */
  private static List<Integer> limits(Grown grown) {
    double[] sorted = grown.contexts.all();
    Arrays.sort(sorted);
    List<Integer> limits = new ArrayList<>();
    for (int g = 1; g < CONTEXT_GROUPS && sorted.length >= LEAST * CONTEXT_GROUPS; g++) {
      int limit = (int) sorted[(int) ((long) sorted.length * g / CONTEXT_GROUPS)];
      boolean higher = limits.isEmpty() || limit > limits.get(limits.size() - 1);
      if (higher && limit < sorted[sorted.length - 1]) {
        limits.add(limit);
      }
    }
    return limits;
  }
}
