package io.orrery.engine.scheduler;

import java.util.Arrays;

/**
 * A stretch of decode-only steps over a constant batch, carried out in bulk.
 *
 * <p>While every running request decodes and nothing can be admitted, a scheduler's steps differ
 * only in which request crosses a block boundary. The segment takes the place of that many {@link
 * Scheduler#schedule} and {@link Scheduler#update} calls and leaves the same state: blocks are
 * taken (and keyed) step by step in the running order, token counts are added at the end. Steps are
 * numbered from 1; with asynchronous scheduling step 0 is the step in flight when the segment
 * begins, and its output belongs to the segment too.
 *
 * <p>No step inside a segment ends a request, fails to allocate, or could admit a waiting one:
 * {@link #begin} returns how many steps that holds for.
 */
public abstract class DecodeSegment {
  /** Requests up to which inserting is quicker than counting. */
  private static final int FEW = 4;

  final RunningList running;
  final int blockSize;
  final boolean asynchronous;
  private final int maxModelLength;
  private final boolean completionsAreBusy;
  private int scheduled;
  private int updated;
  private boolean active;
  // Running requests by (computed mod block size), in running order within one residue.
  final int[] residueStart;
  int[] byResidue = new int[16];
  private int[] residueOf = new int[16];

  /**
   * @param completionsAreBusy whether something happens in the step that completes a block, and not
   *     only in the one that takes the next
   */
  DecodeSegment(SchedulerSettings settings, RunningList running, boolean completionsAreBusy) {
    this.running = running;
    this.blockSize = settings.blockSize();
    this.asynchronous = settings.asynchronous();
    this.maxModelLength = settings.maxModelLength();
    this.completionsAreBusy = completionsAreBusy;
    this.residueStart = new int[blockSize + 1];
  }

  /** Whether nothing but decodes of all {@code count} running requests can come next. */
  abstract boolean mayBegin(int count);

  /** Of {@code steps} steps those before which nothing can be admitted. */
  abstract int beforeAdmission(int steps);

  /** Blocks that the segment's steps may take. */
  abstract int blocksToTake();

  /** Whether the next step does something besides taking and completing blocks. */
  abstract boolean nextIsBusy();

  /** Carries out the scheduling of one step, the steps before it included. */
  abstract void scheduleStep(int step);

  /** Accounts for steps up to {@code step} that neither take nor complete a block. */
  abstract void passQuietly(int step);

  /** Whether a segment is under way. */
  public boolean active() {
    return active;
  }

  /** Requests of every step. */
  public int size() {
    return running.size();
  }

  /** The {@code i}-th request of every step. */
  public Sequence sequence(int i) {
    return running.get(i);
  }

  /** Steps of the segment scheduled so far. */
  public int scheduled() {
    return scheduled;
  }

  /** Step outputs taken in so far, the output of step 0 included with asynchronous scheduling. */
  public int updated() {
    return updated;
  }

  /**
   * Begins a segment if one can be told ahead now, before the next {@link Scheduler#schedule}.
   *
   * @param inFlight with asynchronous scheduling the step that is about to run, else ignored
   * @param limit most steps to plan
   * @return steps that may be scheduled in bulk; below 2 nothing has begun
   */
  public int begin(Batch inFlight, int limit) {
    int count = running.size();
    if (count == 0 || !mayBegin(count)) {
      return 0;
    }
    if (asynchronous && inFlight.size() != count) {
      return 0;
    }
    int steps = limit;
    for (int i = 0; i < count; i++) {
      Sequence sequence = running.get(i);
      if (sequence.computed < sequence.contextTokens) {
        return 0;
      }
      if (asynchronous) {
        if (sequence.placeholders != 1
            || sequence.computed != sequence.tokens()
            || !isDecode(inFlight, i)
            || inFlight.sequence(i) != sequence) {
          return 0;
        }
      } else if (sequence.outputs == 0 || sequence.computed != sequence.tokens() - 1) {
        return 0;
      }
      int last = Math.min(sequence.maxOutputTokens, sequence.stopAfter);
      last = Math.min(last, maxModelLength - sequence.promptTokens);
      steps = Math.min(steps, last - sequence.outputs - (asynchronous ? 1 : 0));
      if (steps < 2) {
        return 0;
      }
    }
    steps = beforeAdmission(steps);
    if (steps < 2) {
      return 0;
    }
    sortByResidue(count);
    steps = beforeBlocksRunOut(count, steps);
    if (steps < 2) {
      return 0;
    }
    scheduled = 0;
    updated = 0;
    active = true;
    return steps;
  }

  private static boolean isDecode(Batch batch, int i) {
    Sequence sequence = batch.sequence(i);
    return batch.newTokens(i) == 1
        && batch.yieldsToken(i)
        && sequence.outputs > 0
        && batch.computedBefore(i) >= sequence.contextTokens;
  }

  private void sortByResidue(int count) {
    if (byResidue.length < count) {
      byResidue = new int[count * 2];
      residueOf = new int[count * 2];
    }
    for (int i = 0; i < count; i++) {
      residueOf[i] = running.get(i).computed % blockSize;
    }
    if (count <= FEW) {
      insertionSort(count);
    } else {
      countingSort(count);
    }
  }

  private void insertionSort(int count) {
    for (int i = 0; i < count; i++) {
      int at = i;
      while (at > 0 && residueOf[byResidue[at - 1]] > residueOf[i]) {
        byResidue[at] = byResidue[at - 1];
        at--;
      }
      byResidue[at] = i;
    }
    int from = 0;
    for (int i = 0; i < count; i++) {
      int next = residueOf[byResidue[i]] + 1;
      Arrays.fill(residueStart, from, next, i);
      from = next;
    }
    Arrays.fill(residueStart, from, blockSize + 1, count);
  }

  private void countingSort(int count) {
    Arrays.fill(residueStart, 0);
    for (int i = 0; i < count; i++) {
      residueStart[residueOf[i] + 1]++;
    }
    for (int r = 0; r < blockSize; r++) {
      residueStart[r + 1] += residueStart[r];
    }
    for (int i = count - 1; i >= 0; i--) {
      byResidue[--residueStart[residueOf[i] + 1]] = i;
    }
    // After filling backwards residueStart[r + 1] is the start of r; shift so that [r] is.
    System.arraycopy(residueStart, 1, residueStart, 0, blockSize);
    residueStart[blockSize] = count;
  }

  private int beforeBlocksRunOut(int count, int steps) {
    int free = blocksToTake();
    if ((long) count * (steps / blockSize + 1) <= free) {
      return steps;
    }
    int taken = 0;
    for (int step = 1; step <= steps; step++) {
      int residue = Math.floorMod(1 - step, blockSize);
      taken += residueStart[residue + 1] - residueStart[residue];
      if (taken > free) {
        return step - 1;
      }
    }
    return steps;
  }

  /**
   * The next unscheduled step up to {@code last} that takes a block or completes one; {@code last +
   * 1} if the steps up to there do neither.
   */
  public int nextBusyStep(int last) {
    int step = scheduled + 1;
    if (step > last) {
      return last + 1;
    }
    if (nextIsBusy()) {
      return step;
    }
    int takes = Math.floorMod(1 - step, blockSize);
    while (step <= last) {
      // A synchronous step completes the blocks of the residue before the one that takes.
      int completes = takes == 0 ? blockSize - 1 : takes - 1;
      if (residueStart[takes] != residueStart[takes + 1]
          || (completionsAreBusy && residueStart[completes] != residueStart[completes + 1])) {
        return step;
      }
      takes = completes;
      step++;
    }
    return step;
  }

  /** Schedules all steps up to {@code step}; those before it neither take nor complete a block. */
  public void scheduleThrough(int step) {
    scheduled = step;
    scheduleStep(step);
  }

  /** Schedules all steps up to {@code last}, which neither take nor complete a block. */
  public void skipThrough(int last) {
    if (last > scheduled) {
      scheduled = last;
      passQuietly(last);
    }
  }

  /** Takes in the output of {@code count} more steps. */
  public void takeOutputs(int count) {
    updated += count;
  }

  /**
   * Ends the segment: token counts are brought up to date, and the steps scheduled but without
   * output become batches.
   *
   * @param first receives the earliest such step, and {@code second} the next one; cleared where
   *     there is none
   * @return how many there are
   */
  public int end(Batch first, Batch second) {
    int inFlight = scheduled - updated + (asynchronous ? 1 : 0);
    first.clear();
    second.clear();
    for (int i = 0; i < running.size(); i++) {
      Sequence sequence = running.get(i);
      int before = sequence.computed + scheduled - inFlight;
      sequence.computed += scheduled;
      sequence.outputs += updated;
      if (asynchronous) {
        sequence.placeholders = inFlight;
      }
      if (inFlight > 0) {
        first.add(sequence, Batch.Kind.RUNNING, before, 1);
        first.setYieldsToken(i, true);
      }
      if (inFlight > 1) {
        second.add(sequence, Batch.Kind.RUNNING, before + 1, 1);
        second.setYieldsToken(i, true);
      }
    }
    active = false;
    return inFlight;
  }
}
