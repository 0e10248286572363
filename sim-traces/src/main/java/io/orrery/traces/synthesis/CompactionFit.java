package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * At which lengths contexts are compacted: the estimate of Kaplan and Meier ("Nonparametric
 * estimation from incomplete observations", Journal of the American Statistical Association
 * 53(282), 1958), where a session that ended before its first compaction says that its limit is
 * beyond its longest prompt. Later compactions of a session count for what they leave.
 */
final class CompactionFit {
  /** A turn that is shorter than this share of the one before, and keeps less, is compacted. */
  private static final double SHORTER = 0.6;

  /** Where a smaller share of the sessions got to, nothing is concluded from what one does. */
  private static final double AT_RISK = 0.1;

  private final List<List<Climb>> byKind = new ArrayList<>();
  private final Samples length = new Samples();
  private final Samples kept = new Samples();

  CompactionFit(int kinds) {
    for (int k = 0; k < kinds; k++) {
      byKind.add(new ArrayList<>());
    }
  }

  /** How far a context grew until its first compaction, or its end. */
  private record Climb(double tokens, boolean compacted) {}

  static boolean compacts(double keptShare, double ratio) {
    return ratio < SHORTER && keptShare < SHORTER;
  }

  /**
   * A session.
   *
   * @param tokens of its prompts before its first compaction, the most
   */
  void session(int kind, int tokens, boolean compacted) {
    byKind.get(kind).add(new Climb(tokens, compacted));
  }

  void compaction(int tokensAfter, double keptShare) {
    length.add(tokensAfter);
    kept.add(keptShare);
  }

  /** Share of a kind's sessions that have a limit. */
  double limited(int kind) {
    return 1 - limits(byKind.get(kind), new Samples(), new Samples());
  }

  @Nullable Compaction compaction() {
    if (length.size() == 0) {
      return null;
    }
    Samples limits = new Samples();
    Samples shares = new Samples();
    limits(byKind.stream().flatMap(List::stream).toList(), limits, shares);
    return new Compaction(Knots.weighted(limits.all(), shares.all()), length.some(), kept.some());
  }

  /** The share of sessions that have no limit; the limits of the others, and the shares of each. */
  private static double limits(List<Climb> climbs, Samples limits, Samples shares) {
    List<Climb> sorted = new ArrayList<>(climbs);
    sorted.sort(Comparator.comparingDouble(Climb::tokens).thenComparing(climb -> !climb.compacted));
    double beyond = 1;
    for (int i = 0; i < sorted.size(); i++) {
      boolean known = sorted.size() - i >= Math.max(2, AT_RISK * sorted.size());
      if (sorted.get(i).compacted && known) {
        double share = beyond / (sorted.size() - i);
        limits.add(sorted.get(i).tokens);
        shares.add(share);
        beyond -= share;
      }
    }
    return beyond;
  }
}
