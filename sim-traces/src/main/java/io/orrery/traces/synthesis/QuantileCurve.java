package io.orrery.traces.synthesis;

/**
 * A distribution given by quantiles: between two of them, the logarithm of the value is linear in
 * the probability. So it has exactly the given quantiles, and no value outside their range.
 */
final class QuantileCurve {
  private final double[] probabilities;
  private final double[] values;

  /** ln(value) at each knot. */
  private final double[] logarithms;

  /**
   * @param probabilities rising strictly from 0 to 1
   * @param values positive, never falling
   */
  QuantileCurve(double[] probabilities, double[] values) {
    int n = probabilities.length;
    if (n < 2 || values.length != n || probabilities[0] != 0 || probabilities[n - 1] != 1) {
      throw new IllegalArgumentException("knots: expected one value each from 0 to 1, at least 2");
    }
    for (int i = 0; i < n; i++) {
      boolean ordered = i == 0 || probabilities[i - 1] < probabilities[i];
      boolean rising = i == 0 ? values[i] > 0 : values[i - 1] <= values[i];
      if (!ordered || !rising) {
        throw new IllegalArgumentException(
            "knot " + i + ": found [" + probabilities[i] + ", " + values[i] + "], expected rising");
      }
    }
    this.probabilities = probabilities.clone();
    this.values = values.clone();
    logarithms = new double[n];
    for (int i = 0; i < n; i++) {
      logarithms[i] = StrictMath.log(values[i]);
    }
  }

  /** The value below which the given share of the distribution lies. */
  double at(double probability) {
    int right = 1;
    while (right < probabilities.length - 1 && probabilities[right] < probability) {
      right++;
    }
    double from = probabilities[right - 1];
    double share = (probability - from) / (probabilities[right] - from);
    if (share <= 0) {
      return values[right - 1];
    }
    if (share >= 1) {
      return values[right];
    }
    double low = logarithms[right - 1];
    return StrictMath.exp(low + share * (logarithms[right] - low));
  }

  /** The share of the distribution below a value: the inverse of {@link #at}. */
  double below(double value) {
    if (value <= values[0]) {
      return 0;
    }
    int right = 1;
    while (right < values.length && values[right] < value) {
      right++;
    }
    if (right == values.length) {
      return 1;
    }
    double low = logarithms[right - 1];
    double share = (StrictMath.log(value) - low) / (logarithms[right] - low);
    return probabilities[right - 1] + share * (probabilities[right] - probabilities[right - 1]);
  }

  double draw(RandomStream stream) {
    return at(stream.uniform());
  }

  /** A draw rounded to a whole number. */
  int drawWhole(RandomStream stream) {
    return (int) Math.rint(draw(stream));
  }

  /** A draw among the values up to {@code most}; {@code most} itself where there is none. */
  double drawUpTo(double most, RandomStream stream) {
    return Math.min(most, at(stream.uniform() * below(most)));
  }
}
