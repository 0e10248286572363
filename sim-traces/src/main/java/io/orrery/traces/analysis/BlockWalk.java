package io.orrery.traces.analysis;

import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;

/**
 * Goes along prompts with a number for each block: blocks that follow each other and have the same
 * number, as most of a prompt has, are seen at once.
 */
final class BlockWalk {
  /** Blocks that are looked at together. */
  private static final int CHUNK = 1 << 12;

  private final Trace trace;
  private final IntColumn numbers;
  private final int[] some = new int[CHUNK];

  /** What is to be done with blocks of one number. */
  interface Visitor {
    /**
     * Blocks of a prompt; those of one prompt come in its order.
     *
     * @param number of each of them, before it is changed
     * @param blocks how many; 0 for the partial one
     * @param tokens that all of them hold
     */
    void visit(int number, int blocks, long tokens);
  }

  /** What becomes of a block's number. */
  interface Change {
    int of(int number);
  }

  /**
   * Along the prompts of a trace.
   *
   * @param numbers one for each block
   */
  BlockWalk(Trace trace, IntColumn numbers) {
    this.trace = trace;
    this.numbers = numbers;
  }

  /** Goes along a prompt's blocks, its named partial one included. */
  void along(int request, Visitor visitor, Change change) {
    alongWhole(request, visitor, change);
    int partial = trace.partialBlock(request);
    if (partial >= 0) {
      int number = numbers.get(partial);
      visitor.visit(number, 0, trace.inputTokens(request) % trace.blockSize());
      numbers.set(partial, change.of(number));
    }
  }

  /** Goes along a prompt's whole blocks. */
  void alongWhole(int request, Visitor visitor, Change change) {
    for (int run = trace.runStart(request); run < trace.promptRunEnd(request); run++) {
      int first = trace.runFirst(run);
      int length = trace.runLength(run);
      for (int done = 0; done < length; done += CHUNK) {
        visit(first + done, Math.min(CHUNK, length - done), visitor, change);
      }
    }
  }

  private void visit(int from, int count, Visitor visitor, Change change) {
    numbers.copy(from, from + count, some);
    for (int i = 0; i < count; ) {
      int number = some[i];
      int end = i + 1;
      while (end < count && some[end] == number) {
        end++;
      }
      visitor.visit(number, end - i, (long) (end - i) * trace.blockSize());
      numbers.fill(from + i, from + end, change.of(number));
      i = end;
    }
  }
}
