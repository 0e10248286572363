package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Fits the paces of groups of sessions: the analysis of variance of normal scores. */
final class PaceFit {
  private final int[] groupOf;
  private final int groups;
  private final List<Double> values = new ArrayList<>();
  private final List<Integer> sessions = new ArrayList<>();

  /**
   * @param groupOf group of each session
   * @param groups how many there are
   */
  PaceFit(int[] groupOf, int groups) {
    this.groupOf = groupOf;
    this.groups = groups;
  }

  void add(int session, double value) {
    sessions.add(session);
    values.add(value);
  }

  /** A pace for each group; groups without values have none of their own. */
  List<Pace> paces(PaceFit... alike) {
    List<int[]> owners = new ArrayList<>();
    List<double[]> scores = new ArrayList<>();
    for (PaceFit fit : with(alike)) {
      owners.add(fit.sessions.stream().mapToInt(Integer::intValue).toArray());
      scores.add(fit.scores());
    }
    double[] sums = new double[groupOf.length];
    int[] counts = new int[groupOf.length];
    for (int f = 0; f < owners.size(); f++) {
      for (int i = 0; i < owners.get(f).length; i++) {
        sums[owners.get(f)[i]] += scores.get(f)[i];
        counts[owners.get(f)[i]]++;
      }
    }
    double[] inside = new double[groups];
    for (int f = 0; f < owners.size(); f++) {
      for (int i = 0; i < owners.get(f).length; i++) {
        int session = owners.get(f)[i];
        double off = scores.get(f)[i] - sums[session] / counts[session];
        inside[groupOf[session]] += off * off;
      }
    }
    List<Pace> paces = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      paces.add(pace(g, sums, counts, inside[g]));
    }
    return paces;
  }

  private List<PaceFit> with(PaceFit... alike) {
    List<PaceFit> fits = new ArrayList<>(List.of(alike));
    fits.add(0, this);
    return fits;
  }

  private Pace pace(int group, double[] sums, int[] counts, double inside) {
    double n = 0;
    double sum = 0;
    double squares = 0;
    int members = 0;
    for (int s = 0; s < sums.length; s++) {
      if (groupOf[s] == group && counts[s] > 0) {
        n += counts[s];
        sum += sums[s];
        squares += (double) counts[s] * counts[s];
        members++;
      }
    }
    if (n == 0) {
      return Pace.NONE;
    }
    double mean = sum / n;
    double outside = 0;
    for (int s = 0; s < sums.length; s++) {
      if (groupOf[s] == group && counts[s] > 0) {
        double off = sums[s] / counts[s] - mean;
        outside += counts[s] * off * off;
      }
    }
    if (n == members) {
      // One value a session: what differs is not known to be the session's.
      return new Pace(mean, 0, Math.sqrt(outside / n));
    }
    double within = inside / (n - members);
    double between =
        members == 1 ? 0 : Math.max(0, (outside - (members - 1) * within) / (n - squares / n));
    return new Pace(mean, Math.sqrt(between), Math.sqrt(within));
  }

  /** The normal scores of the values; equal ones share the middle of their ranks. */
  private double[] scores() {
    double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
    double[] sorted = all.clone();
    Arrays.sort(sorted);
    double[] scores = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      int below = first(sorted, all[i]);
      int upTo = first(sorted, Math.nextUp(all[i]));
      scores[i] = Pace.normal((below + upTo) / 2.0 / all.length);
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
