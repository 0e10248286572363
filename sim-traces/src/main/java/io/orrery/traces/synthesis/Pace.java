package io.orrery.traces.synthesis;

/**
 * How the sessions of a kind differ in what they draw again and again: the ranks of a session's
 * waits, or of what its prompts grow by, lie together. Ranks are taken as those of a normal
 * distribution, z, which is for each draw
 *
 * <p>{@code mean + between · (one number of the session) + within · (one of the draw)}
 *
 * @param mean of the sessions of this kind, 0 for all
 * @param between standard deviation of the sessions' means
 * @param within standard deviation inside a session
 */
public record Pace(double mean, double between, double within) {
  /** Draws that have nothing to do with each other. */
  static final Pace NONE = new Pace(0, 0, 1);

  /** The probability at which a session draws; {@code own} is its one number. */
  double rank(double own, RandomStream stream) {
    return below(mean + between * own + within * stream.normal());
  }

  /**
   * The standard normal distribution function, to 1e-7. Abramowitz and Stegun, "Handbook of
   * Mathematical Functions", 26.2.17.
   */
  static double below(double z) {
    double t = 1 / (1 + 0.2316419 * Math.abs(z));
    double tail =
        StrictMath.exp(-z * z / 2)
            / StrictMath.sqrt(2 * Math.PI)
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z > 0 ? 1 - tail : tail;
  }

  /** Its inverse, to 5e-4; ibid., 26.2.23. */
  static double normal(double probability) {
    double p = Math.min(probability, 1 - probability);
    double t = StrictMath.sqrt(-2 * StrictMath.log(p));
    double z =
        t
            - (2.515517 + t * (0.802853 + t * 0.010328))
                / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return probability < 0.5 ? -z : z;
  }
}
