package io.orrery.traces.synthesis;

/**
 * Ranks in what sessions draw once each. Of every {@value #STRATUM} sessions, each has a rank in
 * another of as many equal parts, in every trait, in an order of its own: a Latin hypercube (McKay,
 * Beckman and Conover, "A comparison of three methods for selecting values of input variables",
 * Technometrics 21(2), 1979). A few hundred sessions are then as varied as they should be, where
 * independent draws of heavy tails would need thousands.
 */
final class EvenRanks {
  private static final int STRATUM = 16;

  /** Ranks keep off 0 and 1, whose normal scores are infinite. */
  private static final double LEAST = 0x1.0p-53;

  private final long seed;
  private final String purpose;
  private final int[][] parts;
  private long session;

  EvenRanks(long seed, String purpose, int traits) {
    this.seed = seed;
    this.purpose = purpose;
    parts = new int[traits][STRATUM];
  }

  /** The ranks of the next session by trait, each in (0, 1). */
  double[] next() {
    int inStratum = (int) (session % STRATUM);
    if (inStratum == 0) {
      RandomStream stream = new RandomStream(seed, purpose + " strata", session / STRATUM);
      for (int[] part : parts) {
        shuffle(part, stream);
      }
    }
    RandomStream stream = new RandomStream(seed, purpose + " ranks", session++);
    double[] ranks = new double[parts.length];
    for (int t = 0; t < ranks.length; t++) {
      ranks[t] = inside((parts[t][inStratum] + stream.uniform()) / STRATUM);
    }
    return ranks;
  }

  private static double inside(double rank) {
    return Math.max(LEAST, Math.min(1 - LEAST, rank));
  }

  private static void shuffle(int[] part, RandomStream stream) {
    for (int i = 0; i < part.length; i++) {
      int j = stream.below(i + 1);
      part[i] = part[j];
      part[j] = i;
    }
  }
}
