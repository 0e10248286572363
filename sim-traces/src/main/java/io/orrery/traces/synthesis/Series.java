package io.orrery.traces.synthesis;

/**
 * Values one after the other whose level goes slowly up and down: ranks are taken as those of a
 * normal distribution, which is {@code √slow · (level) + √(1 − slow) · (one number of the value)};
 * the level is a first-order autoregressive process.
 *
 * @param values their distribution
 * @param slow share of the variance that is the level's, from 0 to below 1
 * @param memory correlation of the level from one value to the next, from 0 to below 1
 */
public record Series(Knots values, double slow, double memory) {
  /** Lags over which the share of the level is estimated. */
  private static final int EARLY = 5;

  private static final double LEAST = 0.02;
  private static final double MOST = 0.95;

  public Series {
    if (!(slow >= 0 && slow < 1 && memory >= 0 && memory < 1)) {
      throw new IllegalArgumentException("series: expected slow and memory from 0 to below 1");
    }
  }

  /** The series that samples are of, at least one, in their order. */
  static Series of(double[] samples) {
    Knots values = Knots.of(samples);
    double noise = 2 / Math.sqrt(samples.length);
    double[] scores = NormalScores.of(samples);
    int most = samples.length / 4;
    double slow = 0;
    for (int lag = 1; lag <= EARLY && most >= EARLY; lag++) {
      slow += correlation(scores, lag) / EARLY;
    }
    boolean constant = values.at(0) == values.at(1);
    if (constant || !(slow > Math.max(noise, LEAST))) {
      return new Series(values, 0, 0);
    }
    double sum = (EARLY / 2.0 + 0.5) * slow;
    double before = slow;
    int lag = EARLY;
    while (lag < most && before > noise / 2) {
      int next = Math.min(most, lag + 1 + lag / 4);
      double correlation = Math.max(0, correlation(scores, next));
      sum += (next - lag) * (before + correlation) / 2;
      before = correlation;
      lag = next;
    }
    return new Series(values, Math.min(slow, MOST), sum / (sum + slow));
  }

  private static double correlation(double[] scores, int lag) {
    double products = 0;
    double squares = 0;
    for (int i = 0; i < scores.length; i++) {
      squares += scores[i] * scores[i];
      products += i < lag ? 0 : scores[i] * scores[i - lag];
    }
    return squares == 0 ? 0 : products / squares;
  }

  /** Draws one after the other. */
  final class Drawing {
    private double level = Double.NaN;

    double next(RandomStream stream) {
      if (slow == 0) {
        return values.draw(stream);
      }
      level =
          Double.isNaN(level)
              ? stream.normal()
              : memory * level + Math.sqrt(1 - memory * memory) * stream.normal();
      double z = Math.sqrt(slow) * level + Math.sqrt(1 - slow) * stream.normal();
      return values.at(Pace.below(z));
    }
  }
}
