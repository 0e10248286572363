package io.orrery.engine.scheduler;

/**
 * The decode-only steps of an engine with a pool of numbered blocks. Where decodes give keys to the
 * blocks that they complete, so does the segment.
 */
final class BlockDecodeSegment extends DecodeSegment {
  private final BlockScheduler scheduler;
  private final boolean keysWhileDecoding;
  private final boolean keys;

  /**
   * @param keysWhileDecoding whether a block gets its key when it is complete, not only when its
   *     request ends
   */
  BlockDecodeSegment(BlockScheduler scheduler, boolean keysWhileDecoding) {
    super(
        scheduler.settings,
        scheduler.running,
        keysWhileDecoding
            && scheduler.settings.prefixCaching()
            && !scheduler.settings.asynchronous());
    this.scheduler = scheduler;
    this.keysWhileDecoding = keysWhileDecoding;
    this.keys = keysWhileDecoding && scheduler.settings.prefixCaching();
  }

  @Override
  boolean mayBegin(int count) {
    // With drafts every step yields as many tokens as are accepted, so none is like the last.
    return !scheduler.settings.speculation().active()
        && count <= scheduler.settings.maxBatchedTokens()
        && scheduler.admissionIsBlocked();
  }

  /** Blocks of a prompt that get no keys when they are scheduled get them at the step's end. */
  @Override
  boolean mayCompletePrompts() {
    return keysWhileDecoding;
  }

  /** With a seat or a token to spare, somebody who waits could be admitted in its place. */
  @Override
  boolean mayLeave() {
    return scheduler.waiting.isEmpty()
        || scheduler.running.size() >= scheduler.settings.maxSequences();
  }

  /**
   * A blocked head could be admitted only if it found more blocks in use: when a running request
   * completes the very block that its look-up missed.
   */
  @Override
  int beforeAdmission(int steps) {
    Sequence head = scheduler.head();
    if (head == null || !keys) {
      return steps;
    }
    SchedulerSettings settings = scheduler.settings;
    if (!settings.reserveFullPrompt()
        && settings.state().snapshotTokens() > blockSize
        && head.residentTokens > 0) {
      // One of its blocks evicted, and it hits less by a whole snapshot: less than before may do.
      return 0;
    }
    int position = head.residentTokens / blockSize;
    long missed = head.keys.keyAt(position);
    int safe = steps;
    for (int i = 0; i < scheduler.running.size(); i++) {
      Sequence sequence = scheduler.running.get(i);
      if (sequence.keyedBlocks <= position && sequence.keys.keyAt(position) == missed) {
        int step = (position + 1) * blockSize - sequence.computed;
        safe = Math.min(safe, step - 2);
      }
    }
    return safe;
  }

  @Override
  int blocksToTake() {
    return scheduler.pool.freeBlocks();
  }

  @Override
  boolean nextIsBusy() {
    return false;
  }

  @Override
  void passQuietly(int step) {
    // Nothing is counted by step.
  }

  @Override
  void scheduleStep(int step) {
    while (crossings.nextTake() == step) {
      if (keys && !asynchronous) {
        completeBefore(step, crossings.nextTaker());
      }
      take(step, crossings.passTake());
    }
    if (keys && !asynchronous) {
      completeBefore(step, Integer.MAX_VALUE);
    }
  }

  /** Carries out what requests before {@code end} in the running order complete in a step. */
  private void completeBefore(int step, int end) {
    while (crossings.nextCompletion() == step && crossings.nextCompleter() < end) {
      Sequence sequence = sequence(crossings.passCompletion());
      scheduler.assignKeys(sequence, sequence.computed + step);
    }
  }

  private void take(int step, int i) {
    if (step > fullSteps() && leaves(i)) {
      return;
    }
    Sequence sequence = sequence(i);
    sequence.addBlock(scheduler.pool.take());
    if (keys && asynchronous) {
      // The last known token's step is already under way: its block is complete when the next one
      // is asked for.
      scheduler.assignKeys(sequence, sequence.computed + step - 1);
    }
  }
}
