package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * A trace's block identities re-cut to an engine's block size, as runs of consecutive keys in the
 * trace's run layout: prompt runs, then those of the named completion blocks. Keys are chained like
 * the trace's ids: equal keys mean equal prefixes.
 *
 * <p>Smaller engine blocks: trace block {@code id} becomes the keys {@code id·q .. id·q + q − 1}.
 * Larger ones: q trace blocks become one, and what does not fill one is not identified.
 */
public final class BlockView {
  private final int blockSize;
  private final long blockCount;
  private final IntColumn identified;
  private final IntColumn named;
  private final IntColumn runStart;
  private final IntColumn promptRunEnd;
  private final IntColumn runFirst;
  private final IntColumn runLength;

  /** A key is runFirst · firstScale, a length runLength · lengthScale. */
  private final int scale;

  private BlockView(int blockSize, long blockCount, TraceColumns shape, int scale) {
    this.blockSize = blockSize;
    this.blockCount = blockCount;
    identified = shape.identified;
    named = shape.named;
    runStart = shape.runStart;
    promptRunEnd = shape.promptRunEnd;
    runFirst = shape.runFirst;
    runLength = shape.runLength;
    this.scale = scale;
  }

  /**
   * The view at an engine's block size. Equal and smaller sizes share the trace's columns.
   *
   * @throws IllegalArgumentException where neither size divides the other
   */
  public static BlockView of(Trace trace, int engineBlockSize) {
    int traceBlockSize = trace.blockSize();
    if (engineBlockSize > 0 && traceBlockSize % engineBlockSize == 0) {
      int scale = traceBlockSize / engineBlockSize;
      return new BlockView(engineBlockSize, trace.blockCount() * scale, trace.columns(), scale);
    }
    if (engineBlockSize > 0 && engineBlockSize % traceBlockSize == 0) {
      BlockGrouping grouping = new BlockGrouping(trace, engineBlockSize / traceBlockSize);
      return new BlockView(engineBlockSize, grouping.keys(), grouping.columns(), 1);
    }
    throw new IllegalArgumentException(
        "block sizes: found "
            + engineBlockSize
            + " (engine) and "
            + traceBlockSize
            + " (trace), expected one to divide the other");
  }

  /** Tokens per engine block. */
  public int blockSize() {
    return blockSize;
  }

  /** Number of keys; keys are 0 .. blockCount − 1. */
  public long blockCount() {
    return blockCount;
  }

  /** The prompt's identified engine blocks. */
  public int identifiedBlocks(int r) {
    return identified.get(r) * scale;
  }

  /** Prompt and completion engine blocks with known names, at least {@link #identifiedBlocks}. */
  public int namedBlocks(int r) {
    return named.get(r) * scale;
  }

  /** First of the request's runs. */
  public int runStart(int r) {
    return runStart.get(r);
  }

  /** End (exclusive) of the request's prompt runs. */
  public int promptRunEnd(int r) {
    return promptRunEnd.get(r);
  }

  /** End (exclusive) of the request's runs. */
  public int runEnd(int r) {
    return runStart.get(r + 1);
  }

  /** The run's first key. */
  public long runFirst(int run) {
    return (long) runFirst.get(run) * scale;
  }

  /** Number of consecutive keys in the run. */
  public int runLength(int run) {
    return runLength.get(run) * scale;
  }

  /**
   * How many leading blocks two contexts share.
   *
   * @param a a request
   * @param blocksOfA leading blocks of its context to look at, at most {@link #namedBlocks}
   * @param b another request
   * @param blocksOfB leading blocks of that one's context to look at
   */
  public int commonBlocks(int a, int blocksOfA, int b, int blocksOfB) {
    int most = Math.min(blocksOfA, blocksOfB);
    int common = 0;
    int i = runStart(a);
    int j = runStart(b);
    int doneInA = 0;
    int doneInB = 0;
    while (common < most && runFirst(i) + doneInA == runFirst(j) + doneInB) {
      int step = Math.min(runLength(i) - doneInA, runLength(j) - doneInB);
      common += step;
      doneInA += step;
      doneInB += step;
      if (doneInA == runLength(i)) {
        i++;
        doneInA = 0;
      }
      if (doneInB == runLength(j)) {
        j++;
        doneInB = 0;
      }
    }
    return Math.min(common, most);
  }
}
