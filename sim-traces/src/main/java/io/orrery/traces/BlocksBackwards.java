package io.orrery.traces;

/** A request's blocks, the last first. */
final class BlocksBackwards {
  private final Trace trace;
  private int run;
  private int offset;

  /**
   * Begins at a block.
   *
   * @param position its place among the request's blocks, from 0
   */
  BlocksBackwards(Trace trace, int request, int position) {
    this.trace = trace;
    run = trace.runStart(request);
    offset = position;
    while (offset >= trace.runLength(run)) {
      offset -= trace.runLength(run++);
    }
  }

  int block() {
    return trace.runFirst(run) + offset;
  }

  /** Moves to the block before, where there is one. */
  void back() {
    while (--offset < 0) {
      offset += trace.runLength(--run) + 1;
    }
  }
}
