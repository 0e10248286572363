package io.orrery.models;

/**
 * Matrix products of one kind in one forward pass on one GPU: every token is multiplied with the
 * same weights, or with those of the experts it is routed to.
 *
 * @param name what it is, such as {@code experts}
 * @param count how often it occurs in a pass, one per layer
 * @param parametersPerToken parameters that a token meets in one of them; 2 FLOP each
 * @param flopsPerSecond peak rate of the precision
 * @param weightBytes bytes of its weights, or of one expert's
 * @param experts experts to choose from, 0 if every token meets the same weights
 * @param expertsPerToken experts that a token visits
 */
public record Operator(
    String name,
    int count,
    double parametersPerToken,
    double flopsPerSecond,
    double weightBytes,
    int experts,
    int expertsPerToken) {

  static Operator dense(String name, int count, long parameters, Precision weights, Gpu gpu) {
    return new Operator(
        name,
        count,
        parameters,
        weights.flopsPerSecond(gpu),
        parameters * weights.bytesPerElement(),
        0,
        0);
  }

  /** Seconds that all of them compute for that many tokens at peak rate. */
  public double computeSeconds(int tokens) {
    return count * (2.0 * tokens * parametersPerToken / flopsPerSecond);
  }

  /** Bytes of weights that all of them fetch for that many tokens. */
  public double fetchedBytes(int tokens) {
    double copies = experts == 0 ? 1 : expectedDistinctExperts(experts, expertsPerToken, tokens);
    return count * (weightBytes * copies);
  }

  /** The longer of computing and fetching. */
  double seconds(int tokens, double bytesPerSecond) {
    return Math.max(computeSeconds(tokens), fetchedBytes(tokens) / bytesPerSecond);
  }

  /**
   * Experts that a batch is expected to wake if each token chooses {@code perToken} of {@code
   * experts} evenly and independently of the others: E · (1 − (1 − k/E)^T).
   */
  public static double expectedDistinctExperts(int experts, int perToken, int tokens) {
    double missed = StrictMath.pow(1 - (double) perToken / experts, tokens);
    return experts * (1 - missed);
  }
}
