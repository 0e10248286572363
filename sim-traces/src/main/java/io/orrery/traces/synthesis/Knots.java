package io.orrery.traces.synthesis;

import java.util.Arrays;
import java.util.Comparator;

/**
 * A distribution by values at rising probabilities, straight in between: 129 of them evenly, and
 * some more at the upper end, where means are made.
 *
 * @param p from 0 to 1
 * @param v never falling
 */
public record Knots(double[] p, double[] v) {
  private static final int EVENLY = 128;

  /** Beyond any count of tokens, and 31 years in ns. */
  private static final double MOST = 1e18;

  private static final double[] TAIL = {0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999};

  public Knots {
    if (p.length < 2 || p.length != v.length || p[0] != 0 || p[p.length - 1] != 1) {
      throw new IllegalArgumentException("knots: expected one value each from 0 to 1, at least 2");
    }
    for (int i = 1; i < p.length; i++) {
      if (!(p[i - 1] < p[i]) || !(v[i - 1] <= v[i])) {
        throw new IllegalArgumentException("knot " + i + ": expected rising ones");
      }
    }
    if (!(v[0] >= -MOST && v[v.length - 1] <= MOST)) {
      throw new IllegalArgumentException("knots: expected values of at most " + MOST);
    }
  }

  /** The distribution of samples, at least one. */
  static Knots of(double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    double[] p = probabilities(sorted.length, sorted[0] == sorted[sorted.length - 1]);
    double[] v = new double[p.length];
    for (int i = 0; i < p.length; i++) {
      double place = p[i] * (sorted.length - 1);
      v[i] = sorted[(int) Math.rint(place)];
    }
    return new Knots(p, v);
  }

  /** The distribution of samples, at least one, that count as much as their positive weights. */
  static Knots weighted(double[] samples, double[] weights) {
    Integer[] order = new Integer[samples.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> samples[i]));
    double whole = Arrays.stream(weights).sum();
    double[] p = probabilities(samples.length, samples.length == 1);
    double[] v = new double[p.length];
    int place = 0;
    double upTo = weights[order[0]];
    for (int i = 0; i < p.length; i++) {
      while (place < order.length - 1 && upTo < p[i] * whole) {
        place++;
        upTo += weights[order[place]];
      }
      v[i] = samples[order[place]];
    }
    return new Knots(p, v);
  }

  /** As many as there are samples, if these are few. */
  private static double[] probabilities(int samples, boolean constant) {
    if (constant || samples <= EVENLY) {
      double[] p = new double[constant ? 2 : samples];
      for (int i = 0; i < p.length; i++) {
        p[i] = (double) i / (p.length - 1);
      }
      return p;
    }
    int tail = 0;
    while (tail < TAIL.length && (1 - TAIL[tail]) * samples > 1) {
      tail++;
    }
    double[] p = new double[EVENLY + 1 + tail];
    for (int i = 0; i < EVENLY; i++) {
      p[i] = (double) i / EVENLY;
    }
    System.arraycopy(TAIL, 0, p, EVENLY, tail);
    p[p.length - 1] = 1;
    return p;
  }

  double draw(RandomStream stream) {
    return at(stream.uniform());
  }

  /** The value below which such a share of the distribution lies. */
  double at(double at) {
    int right = Arrays.binarySearch(p, at);
    if (right >= 0) {
      return v[right];
    }
    right = -right - 1;
    double share = (at - p[right - 1]) / (p[right] - p[right - 1]);
    return v[right - 1] + share * (v[right] - v[right - 1]);
  }

  /** One of the values themselves, of the two nearest to a rank: for times that stand on ticks. */
  long knotAt(double at, RandomStream stream) {
    int right = Arrays.binarySearch(p, at);
    if (right >= 0) {
      return Math.round(v[right]);
    }
    right = -right - 1;
    double share = (at - p[right - 1]) / (p[right] - p[right - 1]);
    return Math.round(v[stream.chance(share) ? right : right - 1]);
  }

  /** As {@link #knotAt}, at any rank. */
  long drawKnot(RandomStream stream) {
    return knotAt(stream.uniform(), stream);
  }

  /** The mean, to the precision of the knots. */
  double mean() {
    double mean = 0;
    for (int i = 1; i < p.length; i++) {
      mean += (p[i] - p[i - 1]) * (v[i] + v[i - 1]) / 2;
    }
    return mean;
  }

  long drawWhole(RandomStream stream) {
    return Math.round(draw(stream));
  }
}
