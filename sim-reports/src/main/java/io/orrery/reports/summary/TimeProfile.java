package io.orrery.reports.summary;

import io.orrery.engine.record.LevelHistory;

/**
 * How a level went over a run: its mean in each of a fixed number of equal stretches of simulated
 * time. What lasts from one moment to another is added as an interval.
 */
public final class TimeProfile {
  private final long end;
  private final double[] levelNanos;
  private final double[] whole;

  /**
   * @param end of the run, nanoseconds
   */
  public TimeProfile(int stretches, long end) {
    this.end = Math.max(1, end);
    levelNanos = new double[stretches];
    whole = new double[stretches + 1];
  }

  /** From {@code from} to {@code to} the level was higher by {@code amount}. */
  public void add(long from, long to, double amount) {
    if (to <= from) {
      return;
    }
    int first = stretch(from);
    int last = stretch(to - 1);
    if (first == last) {
      levelNanos[first] += amount * (to - from);
      return;
    }
    levelNanos[first] += amount * (edge(first + 1) - from);
    levelNanos[last] += amount * (to - edge(last));
    whole[first + 1] += amount;
    whole[last] -= amount;
  }

  /** Adds a level that was kept in stretches of its own, each value times {@code scale}. */
  public void add(LevelHistory history, double scale) {
    long width = history.stretchNanos();
    for (int i = 0; i < LevelHistory.STRETCHES && i * width < end; i++) {
      long from = i * width;
      long to = Math.min(end, from + width);
      add(from, to, scale * history.integral(i) / (to - from));
    }
  }

  private int stretch(long nanos) {
    int n = levelNanos.length;
    int at = (int) Math.min(n - 1, (long) ((double) nanos / end * n));
    // Rounding may be off by one at an edge.
    while (at > 0 && nanos < edge(at)) {
      at--;
    }
    while (at < n - 1 && nanos >= edge(at + 1)) {
      at++;
    }
    return at;
  }

  /** Where a stretch begins, nanoseconds. */
  long edge(int stretch) {
    return stretch == levelNanos.length ? end : (long) ((double) end / levelNanos.length * stretch);
  }

  /** The mean level of each stretch. */
  public double[] means() {
    double[] means = new double[levelNanos.length];
    double running = 0;
    for (int i = 0; i < means.length; i++) {
      running += whole[i];
      long width = edge(i + 1) - edge(i);
      means[i] = width == 0 ? Double.NaN : Math.max(0, levelNanos[i] / width + running);
    }
    return means;
  }

  /** The amounts added in each stretch for each second: a rate, of what is added as moments. */
  public static double[] perSecond(double[] amounts, long end) {
    double[] rates = new double[amounts.length];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = amounts[i] * 1e9 * amounts.length / Math.max(1, end);
    }
    return rates;
  }

  /** The stretch of a moment. */
  public int at(long nanos) {
    return stretch(Math.min(nanos, end - 1));
  }

  /** Where stretches begin, in seconds, and where the last one ends. */
  public double[] edgesSeconds() {
    double[] edges = new double[levelNanos.length + 1];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = edge(i) / 1e9;
    }
    return edges;
  }
}
