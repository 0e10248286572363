package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.RequestRow;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.TimeProfile;
import java.util.BitSet;

/**
 * How the promises to users held as the load rose: completed requests by the number of requests in
 * flight per GPU when they were sent.
 */
final class GoodputByLoad {
  /** Loads that requests are told apart by. */
  static final int CLASSES = 24;

  /** Shares over fewer requests say nothing. */
  private static final int FEWEST = 20;

  private final RunFacts run;
  private final RunColumns columns;
  private final RequestRow at;
  private final TimeProfile load;
  private final BitSet rows = new BitSet();

  GoodputByLoad(RunFacts run) {
    this.run = run;
    columns = run.columns();
    at = run.newRow();
    load = run.newProfile();
  }

  void add(int row) {
    long end = columns.state(row).isTerminal() ? columns.endNanos(row) : run.result().endNanos();
    load.add(columns.arrivalNanos(row), end, 1);
    rows.set(row);
  }

  /**
   * Completed requests by what became of the promises.
   *
   * @param kept both were kept
   * @param late only the first token came too late
   * @param slow only the other tokens came too slowly
   * @param both neither was kept
   */
  record Outcomes(long kept, long late, long slow, long both) {
    long all() {
      return kept + late + slow + both;
    }

    double keptShare() {
      return (double) kept / all();
    }
  }

  Outcomes outcomes() {
    long[] counts = new long[4];
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      if (run.finished(row)) {
        at.moveTo(row);
        int late = run.slo().inTime(at) ? 0 : 1;
        int slow = run.slo().fastEnough(at) ? 0 : 2;
        counts[late + slow]++;
      }
    }
    return new Outcomes(counts[0], counts[1], counts[2], counts[3]);
  }

  /** The largest of the listed loads at which the promises hold, in a clause of a sentence. */
  String largestKept() {
    RunFigures.Cdf kept = kept();
    double largest = Double.NaN;
    boolean failedBelow = false;
    boolean failed = false;
    for (int i = 0; i < CLASSES; i++) {
      double share = kept.shares()[i];
      if (share >= Goal.KEPT) {
        largest = kept.values()[i];
        failedBelow = failed;
      }
      failed |= share < Goal.KEPT;
    }
    return Double.isNaN(largest)
        ? "none of the loads listed below holds it"
        : "the largest load listed below that holds it is "
            + HumanUnits.amount(largest)
            + " requests in flight per GPU"
            + (failedBelow ? ", though not every smaller one does" : "");
  }

  /** Loads, in requests in flight per GPU, and the share of requests that kept the promises. */
  RunFigures.Cdf kept() {
    double[] levels = load.means();
    double most = 0;
    for (double level : levels) {
      most = Math.max(most, level);
    }
    long[] sent = new long[CLASSES];
    long[] good = new long[CLASSES];
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      if (run.finished(row)) {
        double level = levels[load.at(columns.arrivalNanos(row))];
        int place = (int) Math.min(CLASSES - 1, level / Math.max(most, 1e-9) * CLASSES);
        sent[place]++;
        at.moveTo(row);
        good[place] += run.slo().kept(at) ? 1 : 0;
      }
    }
    double[] x = new double[CLASSES];
    double[] y = new double[CLASSES];
    for (int i = 0; i < CLASSES; i++) {
      x[i] = (i + 0.5) * most / CLASSES / run.gpus();
      y[i] = sent[i] < FEWEST ? Double.NaN : (double) good[i] / sent[i];
    }
    return new RunFigures.Cdf(x, y);
  }
}
