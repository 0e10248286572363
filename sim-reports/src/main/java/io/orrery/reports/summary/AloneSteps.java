package io.orrery.reports.summary;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.Arrays;

/**
 * How long the steps of a request take on a worker that has nothing else to do. Millions of
 * requests ask for the same few thousand contexts, so what was computed is kept.
 */
final class AloneSteps {
  /** Longest contexts, and prompts, whose times are kept: half a megabyte each. */
  private static final int MOST_KEPT = 1 << 16;

  private final PoolSettings pool;
  private final StepTimeModel model;
  private final Speculation speculation;
  private final StepShape shape = new StepShape();
  private final StepShape drafting = new StepShape();

  // By tokens; 0 where nothing is known yet.
  private double[] decodes = {};
  private double[] prompts = {};

  /**
   * @param kvTokens tokens that the worker's KV pool holds
   */
  AloneSteps(PoolSettings pool, long kvTokens) {
    this.pool = pool;
    model = pool.stepTime();
    speculation = pool.scheduler().speculation();
    shape.kvPoolTokens = kvTokens;
    shape.tokensPerDecode = speculation.tokensPerDecode();
  }

  /** Tokens that a worker's KV pool holds. */
  static long kvTokens(WorkerStats stats) {
    return (long) stats.usableBlocks() * stats.blockTokens();
  }

  /** Whether these are the steps of such a worker, too. */
  boolean fit(PoolSettings otherPool, long kvTokens) {
    return otherPool.equals(pool) && kvTokens == shape.kvPoolTokens;
  }

  PoolSettings pool() {
    return pool;
  }

  /** The host's time for a request. */
  double hostNanos(int input) {
    return model.requestNanos(input);
  }

  /** Prefill of all input tokens but those reused, chunk by chunk. */
  double prefillNanos(int input, int reused) {
    if (reused > 0 || input >= MOST_KEPT) {
      return computedPrefill(input, reused);
    }
    prompts = withRoom(prompts, input);
    if (prompts[input] == 0) {
      prompts[input] = computedPrefill(input, 0);
    }
    return prompts[input];
  }

  private double computedPrefill(int input, int reused) {
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

  /** A decode of one sequence. */
  double decodeNanos(int context) {
    if (context >= MOST_KEPT) {
      return computedDecode(context);
    }
    decodes = withRoom(decodes, context);
    if (decodes[context] == 0) {
      decodes[context] = computedDecode(context);
    }
    return decodes[context];
  }

  private double computedDecode(int context) {
    shape.clear();
    shape.addDecode(context - 1 + shape.tokensPerDecode);
    drafting.clear();
    drafting.addDecode(context - 1 + shape.tokensPerDecode);
    return model.stepNanos(shape) + speculation.draftNanos(model, drafting);
  }

  private static double[] withRoom(double[] times, int tokens) {
    return tokens < times.length
        ? times
        : Arrays.copyOf(times, Math.min(MOST_KEPT, Math.max(1024, 2 * tokens)));
  }
}
