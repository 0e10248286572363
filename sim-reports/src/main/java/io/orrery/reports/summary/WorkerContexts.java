package io.orrery.reports.summary;

import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.WorkerStats;
import java.util.List;

/**
 * The working set worker by worker: distinct blocks of the contexts whose request was placed there.
 * A cache that holds less must evict what a live session needs again.
 */
public final class WorkerContexts {
  private final RunColumns columns;
  private final List<WorkerStats> workers;
  private final LiveContexts[] contexts;
  private final long[] peaks;
  private final long[] since;
  private final long[] nanosAbove;

  WorkerContexts(RunFacts run) {
    columns = run.columns();
    workers = run.result().workers();
    contexts = new LiveContexts[workers.size()];
    for (int i = 0; i < contexts.length; i++) {
      contexts[i] = new LiveContexts(run);
    }
    peaks = new long[contexts.length];
    since = new long[contexts.length];
    nanosAbove = new long[contexts.length];
  }

  /** What happens to the context of a row. */
  enum Change {
    SENT,
    ENDED,
    GIVEN_UP
  }

  void change(int row, long now, Change change) {
    int worker = columns.worker(row);
    if (worker < 0) {
      return;
    }
    settle(worker, now);
    switch (change) {
      case SENT -> contexts[worker].add(row);
      case ENDED -> contexts[worker].complete(row);
      case GIVEN_UP -> contexts[worker].remove(row);
    }
  }

  private void settle(int worker, long now) {
    if (now > since[worker]) {
      // What a turn hands over to the next at one moment is not needed twice.
      peaks[worker] = Math.max(peaks[worker], contexts[worker].blocks());
    }
    if (contexts[worker].blocks() > workers.get(worker).usableBlocks()) {
      nanosAbove[worker] += now - since[worker];
    }
    since[worker] = now;
  }

  void settleAll(long now) {
    for (int worker = 0; worker < contexts.length; worker++) {
      settle(worker, now);
    }
  }

  /** The most blocks that the contexts on a worker needed at a moment. */
  public long peakBlocks(int worker) {
    return peaks[worker];
  }

  /** The time for which the contexts on a worker needed more blocks than it has. */
  public long nanosAbove(int worker) {
    return nanosAbove[worker];
  }
}
