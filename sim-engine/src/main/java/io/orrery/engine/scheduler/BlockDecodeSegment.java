package io.orrery.engine.scheduler;

/**
 * The decode-only steps of an engine with a pool of numbered blocks. Where decodes give keys to the
 * blocks that they complete, so does the segment.
 */
final class BlockDecodeSegment extends DecodeSegment {
  private final BlockScheduler scheduler;
  private final boolean keys;

  /**
   * @param keysWhileDecoding whether a block gets its key when it is complete, not only when its
   *     request ends
   */
  BlockDecodeSegment(BlockScheduler scheduler, boolean keysWhileDecoding) {
    super(
        scheduler.settings,
        scheduler.running,
        keysWhileDecoding && !scheduler.settings.asynchronous());
    this.scheduler = scheduler;
    this.keys = keysWhileDecoding && scheduler.settings.prefixCaching();
  }

  @Override
  boolean mayBegin(int count) {
    // With drafts every step yields as many tokens as are accepted, so none is like the last.
    return !scheduler.settings.speculation().active()
        && count <= scheduler.settings.maxBatchedTokens()
        && scheduler.admissionIsBlocked();
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
    for (int i = 0; i < running.size(); i++) {
      Sequence sequence = running.get(i);
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
    int takes = Math.floorMod(1 - step, blockSize);
    int take = residueStart[takes];
    int takeEnd = residueStart[takes + 1];
    if (!keys) {
      for (; take < takeEnd; take++) {
        take(byResidue[take]);
      }
      return;
    }
    if (asynchronous) {
      // The last known token's step is already under way: its block is complete when the next one
      // is asked for.
      for (; take < takeEnd; take++) {
        int i = byResidue[take];
        take(i);
        Sequence sequence = running.get(i);
        scheduler.assignKeys(sequence, sequence.computed + step - 1);
      }
      return;
    }
    int completes = Math.floorMod(-step, blockSize);
    int complete = residueStart[completes];
    int completeEnd = residueStart[completes + 1];
    while (take < takeEnd || complete < completeEnd) {
      boolean takeFirst =
          complete == completeEnd || (take < takeEnd && byResidue[take] <= byResidue[complete]);
      if (takeFirst) {
        take(byResidue[take++]);
      } else {
        Sequence sequence = running.get(byResidue[complete++]);
        scheduler.assignKeys(sequence, sequence.computed + step);
      }
    }
  }

  private void take(int i) {
    running.get(i).addBlock(scheduler.pool.take());
  }
}
