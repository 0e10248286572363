package io.orrery.models.kernels;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What decodes add to a pass, for every number of tokens that they compute at once. Tables of one
 * token are compiled at once, others when a worker that drafts asks first; threads may share them.
 */
final class DecodeTables {
  /**
   * Tables of one number of tokens per decode.
   *
   * @param rows attention by contexts
   * @param stateUnits Mamba2 layers by the number of sequences
   */
  record Tables(DecodeRows rows, long[] stateUnits) {}

  private final AttentionParts parts;
  private final double factor;
  private final Tables single;
  private final Map<Integer, Tables> verifying = new ConcurrentHashMap<>();

  /**
   * @param factor nanoseconds per microsecond of a kernel
   * @param check counts what is raised to its floor
   */
  DecodeTables(AttentionParts parts, double factor, FloorCheck check) {
    this.parts = parts;
    this.factor = factor;
    this.single = compile(1, check);
  }

  /** The tables of so many tokens per decode, at least 1. */
  Tables of(int tokensPerDecode) {
    // What these raise has been raised and reported for one token already: they start from there.
    return tokensPerDecode == 1
        ? single
        : verifying.computeIfAbsent(tokensPerDecode, tokens -> compile(tokens, new FloorCheck()));
  }

  private Tables compile(int tokens, FloorCheck check) {
    return new Tables(
        parts.decodes(tokens, check),
        TokenTable.compile(
            parts.stateDecodes(tokens), OperatorStepTime.LARGEST_BATCH, factor, 0, 0, check));
  }
}
