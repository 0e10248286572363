package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;

/** Fits the paces of groups of sessions: the analysis of variance of normal scores. */
final class PaceFit {
  private final int[] groupOf;
  private final int groups;

  /** Whether a value's rank is that in its group, or in all. */
  private final boolean inGroup;

  private final Samples values = new Samples();
  private final Samples sessions = new Samples();

  /**
   * @param groupOf group of each session
   * @param groups how many there are
   * @param inGroup whether a value's rank is that in its group, or in all
   */
  PaceFit(int[] groupOf, int groups, boolean inGroup) {
    this.inGroup = inGroup;
    this.groupOf = groupOf;
    this.groups = groups;
  }

  void add(int session, double value) {
    sessions.add(session);
    values.add(value);
  }

  /** A pace for each group; groups without values have none of their own. */
  List<Pace> paces(PaceFit... alike) {
    List<Samples> owners = new ArrayList<>();
    List<double[]> scores = new ArrayList<>();
    for (PaceFit fit : with(alike)) {
      owners.add(fit.sessions);
      scores.add(fit.scores());
    }
    double[] sums = new double[groupOf.length];
    int[] counts = new int[groupOf.length];
    for (int f = 0; f < owners.size(); f++) {
      for (int i = 0; i < owners.get(f).size(); i++) {
        int session = (int) owners.get(f).get(i);
        sums[session] += scores.get(f)[i];
        counts[session]++;
      }
    }
    double[] inside = new double[groups];
    for (int f = 0; f < owners.size(); f++) {
      for (int i = 0; i < owners.get(f).size(); i++) {
        int session = (int) owners.get(f).get(i);
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

  private double[] scores() {
    if (!inGroup) {
      return NormalScores.of(values.all());
    }
    double[] scores = new double[values.size()];
    for (int g = 0; g < groups; g++) {
      Samples own = new Samples();
      for (int i = 0; i < scores.length; i++) {
        if (groupOf[(int) sessions.get(i)] == g) {
          own.add(values.get(i));
        }
      }
      double[] ofGroup = NormalScores.of(own.all());
      int next = 0;
      for (int i = 0; i < scores.length; i++) {
        if (groupOf[(int) sessions.get(i)] == g) {
          scores[i] = ofGroup[next++];
        }
      }
    }
    return scores;
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
}
