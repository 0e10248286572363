package io.orrery.models;

import java.util.List;
import java.util.Optional;

/**
 * Duration of one forward pass from its shape, compiled for one worker (model, GPU, parallelism,
 * precisions). Immutable after construction and safe to share between threads; a result depends on
 * nothing but the shape, and is the same on every machine.
 */
public interface StepTimeModel {
  /** The kind's name in the registry, with its date where there is one. */
  String name();

  /**
   * What a user of the results should know about the times: extrapolations, substitutes, low
   * confidence. In a fixed order; empty where the kind makes no claim beyond its definition.
   */
  default List<String> notes() {
    return List.of();
  }

  /**
   * Duration of the pass in nanoseconds: at least 1 for a non-empty pass, 0 for an empty one.
   *
   * @param shape the pass; not modified
   */
  long stepNanos(StepShape shape);

  /**
   * Host time of a request before its worker's scheduler sees it, in nanoseconds: API, tokenisation
   * and scheduling. Not part of any pass; 0 where the kind knows no host.
   *
   * @param promptTokens length of its prompt
   */
  default long requestNanos(int promptTokens) {
    return 0;
  }

  /**
   * Times a pass of the worker's draft head, in which every decode of the shape drafts one token:
   * one draft layer, the projection that joins it, and the output projection. Empty where the
   * worker has no draft layers or the kind cannot time one.
   */
  default Optional<StepTimeModel> draftHead() {
    return Optional.empty();
  }

  /**
   * Times a run of consecutive decode-only passes of a constant batch. Must equal the loop below
   * bit for bit; models override it with a tighter one.
   *
   * @param shape a pass without prefill; left advanced by {@code steps}
   * @param steps number of passes
   * @param startNanos when the first pass starts
   * @param ends receives the end time of pass {@code i} at index {@code from + i}
   * @param from first index written
   * @throws IllegalArgumentException if the shape holds prefill chunks or drafted tokens
   */
  default void decodeRun(StepShape shape, int steps, long startNanos, long[] ends, int from) {
    requireDecodeOnly(shape);
    long now = startNanos;
    for (int i = 0; i < steps; i++) {
      now += stepNanos(shape);
      ends[from + i] = now;
      shape.advanceDecodes();
    }
  }

  /** Throws {@link IllegalArgumentException} if the shape holds prefill chunks or drafts. */
  static void requireDecodeOnly(StepShape shape) {
    if (shape.prefillCount != 0) {
      throw new IllegalArgumentException(
          "a decode run cannot hold " + shape.prefillCount + " prefill chunk(s)");
    }
    if (shape.tokensPerDecode != 1) {
      throw new IllegalArgumentException(
          "a decode run yields one token a pass, not up to " + shape.tokensPerDecode);
    }
  }

  /** The duration as a result: rounded half up to whole nanoseconds, at least 1. */
  static long wholeNanos(double nanos) {
    // Durations are positive and far below 2^52, where this equals Math.round and is faster.
    return Math.max(1, (long) (nanos + 0.5));
  }
}
