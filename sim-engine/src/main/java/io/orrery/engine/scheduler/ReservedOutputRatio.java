package io.orrery.engine.scheduler;

/**
 * The share of their possible output that SGLang reserves for running requests ({@code
 * new_token_ratio}). It falls with every decode pass, is estimated anew when memory has run out,
 * and starts over when the engine is idle.
 */
final class ReservedOutputRatio {
  /** Decode passes over which the ratio falls from its first to its least value. */
  private static final int DECAY_PASSES = 600;

  private static final double INITIAL = 0.7;
  private static final double LEAST_SHARE_OF_INITIAL = 0.14;

  /** Decode passes that retraction makes room for, per request that is left. */
  static final int RETRACT_PASSES = 20;

  private final double initial;
  private final double least;
  private final double step;
  private double value;

  ReservedOutputRatio(double conservativeness) {
    initial = Math.min(INITIAL * conservativeness, 1);
    least = Math.min(initial * LEAST_SHARE_OF_INITIAL, 1);
    step = (initial - least) / DECAY_PASSES;
    value = initial;
  }

  double value() {
    return value;
  }

  void startOver() {
    value = initial;
  }

  /** A decode pass found its memory; says whether the ratio has changed. */
  boolean fall() {
    double before = value;
    value = Math.max(value - step, least);
    return value != before;
  }

  /** Memory has run out, and these requests are left. */
  void estimate(RunningList left) {
    long outputs = 0;
    long most = 0;
    for (int i = 0; i < left.size(); i++) {
      outputs += left.get(i).outputs;
      most += left.get(i).maxOutputTokens;
    }
    double passes = (double) RETRACT_PASSES * left.size();
    value = Math.min(1, (outputs + passes) / (most + 1));
  }
}
