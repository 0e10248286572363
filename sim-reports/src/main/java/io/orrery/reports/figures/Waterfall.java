package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import io.orrery.reports.summary.RunFacts;
import java.util.BitSet;
import java.util.List;

/** What the time to first token consists of, on average: over all requests and over the slowest. */
final class Waterfall {
  /** The parts of a TTFT, in the order in which they pass. */
  static final List<String> PARTS =
      List.of("pause by admission", "router", "host", "queue", "prefill");

  private static final int SLOWEST_PERCENT = 5;

  private final RunColumns columns;
  private final Samples ttft = new Samples();
  private final BitSet rows = new BitSet();

  Waterfall(RunFacts run) {
    columns = run.columns();
  }

  void add(int row) {
    rows.set(row);
    ttft.add(nanos(row), 1);
  }

  private long nanos(int row) {
    return columns.firstTokenNanos(row) - columns.arrivalNanos(row);
  }

  /** The parts' means over all requests with a first token, in milliseconds. */
  double[] all() {
    return means(0);
  }

  /** The parts' means over the slowest twentieth of the requests, in milliseconds. */
  double[] slowest() {
    return ttft.count() == 0 ? means(0) : means((long) ttft.quantile(1 - SLOWEST_PERCENT / 100.0));
  }

  private double[] means(long least) {
    double[] sums = new double[PARTS.size()];
    long count = 0;
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      if (nanos(row) >= least) {
        count++;
        sums[0] += columns.admittedNanos(row) - columns.arrivalNanos(row);
        sums[1] += columns.placedNanos(row) - columns.admittedNanos(row);
        sums[2] += columns.queuedNanos(row) - columns.placedNanos(row);
        sums[3] += columns.scheduledNanos(row) - columns.queuedNanos(row);
        sums[4] += columns.firstTokenNanos(row) - columns.scheduledNanos(row);
      }
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] = count == 0 ? Double.NaN : sums[i] / count / 1e6;
    }
    return sums;
  }
}
