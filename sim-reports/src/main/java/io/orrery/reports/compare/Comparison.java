package io.orrery.reports.compare;

import io.orrery.reports.compare.Change.Verdict;
import io.orrery.reports.summary.Metric;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * One variant against another.
 *
 * @param before name of what is compared with
 * @param after name of what is judged
 * @param notes what a reader must know: other traces, seeds that only one side has
 * @param changes worst first
 */
public record Comparison(String before, String after, List<String> notes, List<Change> changes) {
  /** Differences below this share are not called differences. */
  private static final double ALIKE = 0.005;

  private static final double CONFIDENCE = 0.95;

  public Comparison {
    notes = List.copyOf(notes);
    changes = List.copyOf(changes);
  }

  /**
   * Compares two variants over the seeds that both have.
   *
   * @throws IllegalArgumentException if they have none in common
   */
  public static Comparison of(
      String beforeName, RunSet.Variant before, String afterName, RunSet.Variant after) {
    TreeSet<Long> seeds = new TreeSet<>(before.bySeed().keySet());
    seeds.retainAll(after.bySeed().keySet());
    if (seeds.isEmpty()) {
      throw new IllegalArgumentException(
          beforeName
              + " has the seeds "
              + before.bySeed().keySet()
              + " and "
              + afterName
              + " has "
              + after.bySeed().keySet()
              + ", expected at least one that both have");
    }
    List<String> notes = new ArrayList<>();
    if (!before.trace().equals(after.trace())) {
      notes.add("The traces differ, so differences are not of the configuration alone.");
    }
    int dropped = before.bySeed().size() + after.bySeed().size() - 2 * seeds.size();
    if (dropped > 0) {
      notes.add(dropped + " runs have a seed that the other side lacks, and are left out.");
    }
    if (seeds.size() == 1) {
      notes.add("One seed: no intervals; run with --seeds to tell differences from luck.");
    }
    List<Summary> first = seeds.stream().map(seed -> summary(before, seed)).toList();
    List<Summary> second = seeds.stream().map(seed -> summary(after, seed)).toList();
    List<Summary> all = new ArrayList<>(first);
    all.addAll(second);
    if (seeds.size() > 1 && areAlike(first) && areAlike(second)) {
      notes.add(
          "All seeds give the same run: nothing in it is drawn by lot, differences are exact.");
    }
    List<Change> changes = new ArrayList<>();
    for (String key : RunSet.keys(all)) {
      change(key, first, second, changes, notes);
    }
    changes.sort(WORST_FIRST);
    return new Comparison(beforeName, afterName, notes, changes);
  }

  private static boolean areAlike(List<Summary> runs) {
    return runs.stream().distinct().count() == 1;
  }

  private static Summary summary(RunSet.Variant variant, long seed) {
    Summary summary = variant.bySeed().get(seed);
    if (summary == null) {
      throw new IllegalStateException("no run of seed " + seed);
    }
    return summary;
  }

  private static final Comparator<Change> WORST_FIRST =
      Comparator.comparing((Change change) -> order(change.verdict()))
          .thenComparing(change -> -Math.abs(change.relative()))
          .thenComparing(Change::key);

  private static int order(Verdict verdict) {
    return switch (verdict) {
      case WORSE -> 0;
      case BETTER -> 1;
      case CHANGED -> 2;
      case NOISE -> 3;
      case SAME -> 4;
      case IDENTICAL -> 5;
    };
  }

  private static void change(
      String key,
      List<Summary> first,
      List<Summary> second,
      List<Change> changes,
      List<String> notes) {
    int n = first.size();
    double[] before = new double[n];
    double[] after = new double[n];
    for (int i = 0; i < n; i++) {
      OptionalDouble one = first.get(i).get(key);
      OptionalDouble other = second.get(i).get(key);
      if (one.isEmpty() || other.isEmpty()) {
        notes.add(key + " is known on one side only.");
        return;
      }
      before[i] = one.getAsDouble();
      after[i] = other.getAsDouble();
    }
    Metric.Better better = Metrics.isKnown(key) ? Metrics.of(key).better() : Metric.Better.NEITHER;
    double meanBefore = mean(before);
    double meanAfter = mean(after);
    double half = halfWidth(before, after);
    boolean identical = Arrays.equals(before, after);
    Verdict verdict = verdict(meanBefore, meanAfter, half, identical, direction(key, better));
    changes.add(new Change(key, meanBefore, meanAfter, n, half, better, verdict));
  }

  /** Counts of samples have no better or worse, whatever they count. */
  private static Metric.Better direction(String key, Metric.Better better) {
    return key.endsWith(".count") || key.endsWith(".relative_error")
        ? Metric.Better.NEITHER
        : better;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double halfWidth(double[] before, double[] after) {
    int n = before.length;
    if (n < 2) {
      return Double.NaN;
    }
    double mean = mean(after) - mean(before);
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double off = after[i] - before[i] - mean;
      squares += off * off;
    }
    double t = new TDistribution(n - 1).inverseCumulativeProbability(0.5 + CONFIDENCE / 2);
    return t * Math.sqrt(squares / (n - 1) / n);
  }

  private static Verdict verdict(
      double before, double after, double half, boolean identical, Metric.Better better) {
    if (identical) {
      return Verdict.IDENTICAL;
    }
    double delta = after - before;
    if (!Double.isNaN(half) && Math.abs(delta) <= half) {
      return Verdict.NOISE;
    }
    if (Math.abs(delta) <= ALIKE * Math.max(Math.abs(before), Math.abs(after))) {
      return Verdict.SAME;
    }
    return switch (better) {
      case NEITHER -> Verdict.CHANGED;
      case LOWER -> delta < 0 ? Verdict.BETTER : Verdict.WORSE;
      case HIGHER -> delta > 0 ? Verdict.BETTER : Verdict.WORSE;
    };
  }

  /** How many numbers have a verdict. */
  public long count(Verdict verdict) {
    return changes.stream().filter(change -> change.verdict() == verdict).count();
  }

  /** All in one line. */
  public String verdict() {
    if (changes.stream().allMatch(change -> change.verdict() == Verdict.IDENTICAL)) {
      return after + " is identical to " + before + ", digit for digit.";
    }
    long worse = count(Verdict.WORSE);
    long better = count(Verdict.BETTER);
    String text =
        after
            + " against "
            + before
            + ": "
            + worse
            + " of "
            + changes.size()
            + " numbers worse, "
            + better
            + " better, "
            + count(Verdict.NOISE)
            + " within noise.";
    if (worse > 0) {
      Change worst = changes.get(0);
      text += " Worst: " + worst.key() + " " + ComparisonText.relative(worst) + ".";
    }
    return text;
  }
}
