package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.summary.RunFacts;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The requests that waited longest for their first token, and the lives of their sessions. */
final class SlowRequests {
  /** How many are listed. */
  static final int COUNT = 12;

  /** The longest life that is told turn by turn around a slow request. */
  private static final int LONGEST_LIFE = 40;

  private final RunFacts run;
  private final RunColumns columns;
  private final PriorityQueue<Slow> worst;

  /** A row with its TTFT; of equal ones the earlier row counts as slower. */
  private record Slow(int row, long nanos) {}

  private static final Comparator<Slow> FASTEST_FIRST =
      Comparator.comparingLong(Slow::nanos).thenComparing(Slow::row, Comparator.reverseOrder());

  SlowRequests(RunFacts run) {
    this.run = run;
    columns = run.columns();
    worst = new PriorityQueue<>(FASTEST_FIRST);
  }

  void add(int row, long nanos) {
    if (worst.size() == COUNT) {
      Slow least = worst.element();
      if (nanos <= least.nanos()) {
        return;
      }
      worst.remove();
    }
    worst.add(new Slow(row, nanos));
  }

  /** Rows, slowest first. */
  List<Integer> rows() {
    List<Slow> sorted = new ArrayList<>(worst);
    sorted.sort(FASTEST_FIRST.reversed());
    return sorted.stream().map(Slow::row).toList();
  }

  /**
   * The rows of a row's session around it, in the order of turns, at most {@value #LONGEST_LIFE}.
   */
  List<Integer> life(int row) {
    Trace trace = run.trace();
    int request = columns.request(row);
    int session = trace.session(request);
    int base = row - request;
    int turns = trace.requestCount(session);
    int from = Math.max(0, Math.min(trace.turn(request) - LONGEST_LIFE / 2, turns - LONGEST_LIFE));
    List<Integer> rows = new ArrayList<>();
    for (int turn = from; turn < Math.min(turns, from + LONGEST_LIFE); turn++) {
      int other = base + trace.request(session, turn);
      if (columns.dispatched(other)) {
        rows.add(other);
      }
    }
    return rows;
  }
}
