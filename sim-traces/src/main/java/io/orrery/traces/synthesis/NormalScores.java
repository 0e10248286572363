package io.orrery.traces.synthesis;

import java.util.Arrays;

/** Ranks as values of a standard normal distribution; equal samples share the middle of theirs. */
final class NormalScores {
  private NormalScores() {}

  /** One for each sample. */
  static double[] of(double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    double[] scores = new double[samples.length];
    for (int i = 0; i < samples.length; i++) {
      int below = first(sorted, samples[i]);
      int upTo = first(sorted, Math.nextUp(samples[i]));
      scores[i] = Pace.normal((below + upTo) / 2.0 / samples.length);
    }
    return scores;
  }

  /** The first place whose value is not below this one. */
  private static int first(double[] sorted, double value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
