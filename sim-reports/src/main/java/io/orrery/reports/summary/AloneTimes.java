package io.orrery.reports.summary;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.WorkerStats;
import io.orrery.traces.Trace;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long requests and sessions would take alone on an idle cluster, by the step-time model of the
 * worker that served them: host time, prefill of what the turn before did not leave in the cache,
 * chunk by chunk, and decodes of one sequence. Decode steps are integrated by Simpson's rule over
 * the context, which is exact where a step's time is linear in it.
 */
final class AloneTimes {
  private final RunFacts run;
  private final Trace trace;
  private final RunColumns columns;
  private final @Nullable AloneSteps[] byWorker;

  AloneTimes(RunFacts run) {
    this.run = run;
    trace = run.trace();
    columns = run.columns();
    byWorker = new AloneSteps[run.result().workers().size()];
  }

  /**
   * A completed session alone: its requests alone, and the waits between them as they were (from
   * the end of what has been sent to the next request).
   */
  double sessionNanos(int session) {
    int copy = session / trace.sessionCount();
    int own = session % trace.sessionCount();
    double alone = 0;
    long ended = run.sessions().startNanos(session);
    for (int turn = 0; turn < trace.requestCount(own); turn++) {
      int row = copy * trace.requestCount() + trace.request(own, turn);
      alone += Math.max(0, columns.arrivalNanos(row) - ended);
      alone += requestNanos(row);
      ended = Math.max(ended, columns.endNanos(row));
    }
    return alone;
  }

  private double requestNanos(int row) {
    if (!run.finished(row)) {
      return 0;
    }
    int worker = columns.worker(row);
    AloneSteps steps = steps(worker);
    int input = run.inputTokens(row);
    return steps.hostNanos(input)
        + steps.prefillNanos(input, reused(row, input, steps.pool()))
        + decodeNanos(steps, worker, input, columns.outputTokens(row) - 1);
  }

  private AloneSteps steps(int worker) {
    AloneSteps known = byWorker[worker];
    if (known == null) {
      PoolSettings pool = run.cluster().poolOf(worker);
      long kvTokens = AloneSteps.kvTokens(run.result().workers().get(worker));
      known =
          Arrays.stream(byWorker)
              .flatMap(Stream::ofNullable)
              .filter(steps -> steps.fit(pool, kvTokens))
              .findFirst()
              .orElseGet(() -> new AloneSteps(pool, kvTokens));
      byWorker[worker] = known;
    }
    return known;
  }

  private int reused(int row, int input, PoolSettings pool) {
    int request = columns.request(row);
    if (!pool.scheduler().prefixCaching() || trace.turn(request) == 0) {
      return 0;
    }
    int block = run.result().blockSize();
    int most = (input - 1) / block * block;
    return (int) Math.min(most, run.resentTokens(request));
  }

  private double decodeNanos(AloneSteps steps, int worker, int input, int tokens) {
    if (tokens < 1) {
      return 0;
    }
    WorkerStats stats = run.result().workers().get(worker);
    double yield =
        stats.verifications() == 0
            ? 1
            : 1 + (double) stats.acceptedTokens() / stats.verifications();
    double first = steps.decodeNanos(input + 1);
    double middle = steps.decodeNanos(input + 1 + (tokens - 1) / 2);
    double last = steps.decodeNanos(input + tokens);
    return tokens / yield * ((first + 4 * middle + last) / 6);
  }
}
