package io.orrery.engine.record;

import io.orrery.engine.routing.DecisionTerms;

/**
 * One decision of the router, with what was known and what was true at that moment.
 *
 * @param row the request
 * @param nanos when it was taken
 * @param replica the router's replica that took it
 * @param workers the candidates' ids
 * @param terms what the policy says about each candidate
 * @param believedBlocks by candidate: leading prompt blocks that the router believed it to hold; -1
 *     if nobody had a belief
 * @param heldBlocks by candidate: leading prompt blocks that it held in truth
 * @param firstTokenNanos by candidate: estimate of when the first output token would have come,
 *     from the decision on, by the step-time model and what was on the worker then
 * @param choice index of the policy's choice
 * @param worker where it was placed: the choice, unless admission had pinned it
 */
public record Decision(
    int row,
    long nanos,
    int replica,
    int[] workers,
    DecisionTerms terms,
    int[] believedBlocks,
    int[] heldBlocks,
    long[] firstTokenNanos,
    int choice,
    int worker) {

  /** Candidates with the lowest cost; 0 if the policy has no costs. */
  public int ties() {
    int ties = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < workers.length; i++) {
      double cost = terms.cost(i);
      if (cost < least) {
        least = cost;
        ties = 1;
      } else if (cost == least) {
        ties++;
      }
    }
    return ties;
  }

  /** By how much the choice's cost is above the lowest; NaN without costs. */
  public double costRegret() {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < workers.length; i++) {
      least = Math.min(least, terms.cost(i));
    }
    return terms.cost(choice) - least;
  }

  /** By how many blocks the choice's held prefix is shorter than the longest of any candidate. */
  public int overlapRegretBlocks() {
    int most = 0;
    for (int held : heldBlocks) {
      most = Math.max(most, held);
    }
    return most - heldBlocks[choice];
  }

  /** Index of the candidate with the earliest estimated first token, the first of equal ones. */
  public int fastest() {
    int fastest = 0;
    for (int i = 1; i < firstTokenNanos.length; i++) {
      fastest = firstTokenNanos[i] < firstTokenNanos[fastest] ? i : fastest;
    }
    return fastest;
  }

  /** How much earlier the first token would have come on the best candidate. */
  public long regretNanos() {
    return firstTokenNanos[choice] - firstTokenNanos[fastest()];
  }
}
