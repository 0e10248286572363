package io.orrery.reports.summary;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.Trace;

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
  private final StepShape shape = new StepShape();
  private final StepShape drafting = new StepShape();

  AloneTimes(RunFacts run) {
    this.run = run;
    trace = run.trace();
    columns = run.columns();
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
    PoolSettings pool = run.cluster().poolOf(worker);
    StepTimeModel model = pool.stepTime();
    WorkerStats stats = run.result().workers().get(worker);
    int input = run.inputTokens(row);
    shape.kvPoolTokens = (long) stats.usableBlocks() * stats.blockTokens();
    shape.tokensPerDecode = pool.scheduler().speculation().tokensPerDecode();
    return model.requestNanos(input)
        + prefillNanos(model, pool, input, reused(row, pool))
        + decodeNanos(model, pool, stats, input, columns.outputTokens(row) - 1);
  }

  private int reused(int row, PoolSettings pool) {
    int request = columns.request(row);
    if (!pool.scheduler().prefixCaching() || trace.turn(request) == 0) {
      return 0;
    }
    int block = run.result().blockSize();
    int most = (run.inputTokens(row) - 1) / block * block;
    return (int) Math.min(most, run.resentTokens(request));
  }

  private double prefillNanos(StepTimeModel model, PoolSettings pool, int input, int reused) {
    double nanos = 0;
    int computed = reused;
    while (computed < input) {
      int chunk = Math.min(pool.scheduler().maxBatchedTokens(), input - computed);
      shape.clear();
      shape.addPrefill(chunk, computed);
      nanos += model.stepNanos(shape);
      computed += chunk;
    }
    return nanos;
  }

  private double decodeNanos(
      StepTimeModel model, PoolSettings pool, WorkerStats stats, int input, int tokens) {
    if (tokens < 1) {
      return 0;
    }
    Speculation speculation = pool.scheduler().speculation();
    double yield =
        stats.verifications() == 0
            ? 1
            : 1 + (double) stats.acceptedTokens() / stats.verifications();
    double first = decodeNanos(model, speculation, input + 1);
    double middle = decodeNanos(model, speculation, input + 1 + (tokens - 1) / 2);
    double last = decodeNanos(model, speculation, input + tokens);
    return tokens / yield * ((first + 4 * middle + last) / 6);
  }

  private double decodeNanos(StepTimeModel model, Speculation speculation, int context) {
    shape.clear();
    shape.addDecode(context - 1 + shape.tokensPerDecode);
    drafting.clear();
    drafting.addDecode(context - 1 + shape.tokensPerDecode);
    return model.stepNanos(shape) + speculation.draftNanos(model, drafting);
  }
}
