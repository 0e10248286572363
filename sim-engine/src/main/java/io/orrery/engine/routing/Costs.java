package io.orrery.engine.routing;

import io.orrery.engine.Draws;

/** How a choice is made among candidates that have a cost each. */
final class Costs {
  private Costs() {}

  /**
   * The candidate with the lowest cost. The k-th of equal ones replaces the one held with
   * probability 1/k (reservoir sampling), so that each is taken as often as the others.
   */
  static int lowest(double[] costs, int size, Draws draws, int request) {
    int choice = 0;
    int ties = 1;
    for (int i = 1; i < size; i++) {
      if (costs[i] < costs[choice]) {
        choice = i;
        ties = 1;
      } else if (costs[i] == costs[choice] && draws.below(++ties, request, ties) == 0) {
        choice = i;
      }
    }
    return choice;
  }

  /** The first candidate with the lowest cost. */
  static int firstLowest(double[] costs, int size) {
    int choice = 0;
    for (int i = 1; i < size; i++) {
      if (costs[i] < costs[choice]) {
        choice = i;
      }
    }
    return choice;
  }

  /**
   * A candidate drawn with probability {@code p ∝ exp(−(cost − least) / ((greatest − least) ·
   * temperature))}: the first whose cumulated probability reaches {@code draw}. Equal costs are
   * drawn from evenly.
   *
   * @param weights room for a number a candidate
   */
  static int drawn(double[] costs, int size, double temperature, double draw, double[] weights) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      least = Math.min(least, costs[i]);
      greatest = Math.max(greatest, costs[i]);
    }
    double scale = least == greatest ? 0 : -1 / ((greatest - least) * temperature);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      weights[i] = StrictMath.exp((costs[i] - least) * scale);
      sum += weights[i];
    }
    double cumulated = 0;
    for (int i = 0; i < size - 1; i++) {
      cumulated += weights[i] / sum;
      if (draw <= cumulated) {
        return i;
      }
    }
    return size - 1;
  }
}
