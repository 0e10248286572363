package io.orrery.engine.cluster;

import io.orrery.engine.record.RunColumns;
import io.orrery.models.StepShape;
import java.util.Arrays;

/**
 * When a request's first token would come on a worker, as far as can be said at the moment of its
 * placement: the prompts that were placed on the worker before are computed first, then the
 * request's own tokens, in steps of at most the token budget, beside one token for everything that
 * decodes. A prompt that has not been looked up yet is taken to find what the worker held when it
 * was placed. It knows nothing of the step in progress, of requests that end meanwhile, and of a
 * full KV cache.
 */
final class FirstTokenEstimate {
  private final RunColumns columns;
  private final OnTheirWay onTheirWay;
  private final int blockSize;
  private final StepShape shape = new StepShape();
  private int[] decodes = new int[64];
  private int decodeCount;
  private int[] left = new int[64];
  private int[] prefix = new int[64];
  private int prompts;

  /**
   * @param columns say on which worker a request was placed
   * @param onTheirWay requests that were placed and are not in their worker's scheduler yet
   * @param blockSize tokens of a block
   */
  FirstTokenEstimate(RunColumns columns, OnTheirWay onTheirWay, int blockSize) {
    this.columns = columns;
    this.onTheirWay = onTheirWay;
    this.blockSize = blockSize;
  }

  /**
   * Nanoseconds from now to the first token.
   *
   * @param newTokens prompt tokens that the worker would have to compute
   * @param cachedTokens prompt tokens that it holds
   */
  long nanos(Worker worker, int newTokens, int cachedTokens) {
    decodeCount = 0;
    prompts = 0;
    worker.forEachOpen(this::note);
    for (ActiveRequest coming : onTheirWay.inOrder()) {
      if (columns.worker(coming.request) == worker.id()) {
        note(coming);
      }
    }
    addPrompt(newTokens, cachedTokens);
    shape.kvPoolTokens = worker.kvPoolTokens();
    int budget = Math.max(1, worker.pool().scheduler().maxBatchedTokens() - decodeCount);
    long sum = worker.hostNanos(newTokens + cachedTokens);
    int first = 0;
    while (first < prompts) {
      shape.clear();
      for (int i = 0; i < decodeCount; i++) {
        shape.addDecode(decodes[i]);
      }
      int room = budget;
      while (first < prompts && room > 0) {
        int chunk = Math.min(room, left[first]);
        shape.addPrefill(chunk, prefix[first]);
        room -= chunk;
        left[first] -= chunk;
        prefix[first] += chunk;
        first += left[first] == 0 ? 1 : 0;
      }
      sum += worker.pool().stepTime().stepNanos(shape);
    }
    return sum;
  }

  private void note(ActiveRequest sequence) {
    int known = sequence.admittedOnce ? sequence.computed : sequence.reachHere * blockSize;
    int computed = Math.min(known, sequence.promptTokens);
    if (computed < sequence.promptTokens) {
      addPrompt(sequence.promptTokens - computed, computed);
    } else {
      if (decodeCount == decodes.length) {
        decodes = Arrays.copyOf(decodes, decodeCount * 2);
      }
      decodes[decodeCount++] = sequence.promptTokens + sequence.outputs;
    }
  }

  private void addPrompt(int newTokens, int cachedTokens) {
    if (prompts == left.length) {
      left = Arrays.copyOf(left, prompts * 2);
      prefix = Arrays.copyOf(prefix, prompts * 2);
    }
    left[prompts] = Math.max(1, newTokens);
    prefix[prompts++] = cachedTokens;
  }
}
