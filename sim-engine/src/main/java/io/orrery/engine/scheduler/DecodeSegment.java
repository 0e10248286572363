package io.orrery.engine.scheduler;

/**
 * A stretch of decode-only steps over a constant batch, carried out in bulk.
 *
 * <p>While every running request decodes and nothing can be admitted, a scheduler's steps differ
 * only in which request crosses a block boundary. The segment takes the place of that many {@link
 * Scheduler#schedule} and {@link Scheduler#update} calls and leaves the same state: blocks are
 * taken (and keyed) step by step in the running order, token counts are added at the end. Steps are
 * numbered from 1; with asynchronous scheduling step 0 is the step in flight when the segment
 * begins, and its output belongs to the segment too. Step 0 may complete prompts: then the segment
 * is to be {@linkplain #open opened} when it ends.
 *
 * <p>No step inside a segment fails to allocate or could admit a waiting request, and none ends a
 * request but the last one to end. Where the scheduler knows that a request's last token is on its
 * way, the request <em>leaves</em>: it has no part in the step behind that one, which is the last
 * one to be scheduled.
 */
public abstract class DecodeSegment {
  final int blockSize;
  final boolean asynchronous;
  final BlockCrossings crossings;
  private final RunningList running;
  private final int maxModelLength;
  private final boolean completionsAreBusy;

  private Sequence[] members = new Sequence[16];
  private int size;

  /** Steps to be scheduled, and of these the ones that all members take part in. */
  private int steps;

  private int fullSteps;

  /** Members that leave, and how many more tokens such a one gets from the beginning on. */
  private int leavers;

  private int tokensOfLeavers;

  private int scheduled;
  private int updated;

  /** Outputs that members have been given one by one. */
  private int opened;

  private boolean completesPrompts;
  private boolean active;

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
    this.crossings = new BlockCrossings(blockSize);
  }

  /** Whether nothing but decodes of all {@code count} running requests can come next. */
  abstract boolean mayBegin(int count);

  /** Whether the end of a step that completes prompts brings nothing but tokens. */
  abstract boolean mayCompletePrompts();

  /**
   * Whether a request whose last token is on its way is left out of the next step, without room for
   * another one before it has ended.
   */
  abstract boolean mayLeave();

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

  /** Requests of the segment. */
  public int size() {
    return size;
  }

  /** The {@code i}-th request of every step that none has left. */
  public Sequence sequence(int i) {
    return members[i];
  }

  /** Steps that the segment schedules. */
  public int steps() {
    return steps;
  }

  /** Of {@link #steps} those that no request has left. */
  public int fullSteps() {
    return fullSteps;
  }

  /**
   * The last step that ends before the segment does. With asynchronous scheduling another one is in
   * flight then, unless all requests leave.
   */
  public int lastToEnd() {
    return asynchronous && leavers == 0 ? fullSteps - 1 : fullSteps;
  }

  /** Requests that end with the last step to end, as the scheduler knew. */
  public int leavers() {
    return leavers;
  }

  /** Whether request {@code i} is one of the {@link #leavers}. */
  public boolean leaves(int i) {
    return leavers > 0
        && members[i].maxOutputTokens - members[i].outputs + opened == tokensOfLeavers;
  }

  /** Steps of the segment scheduled so far. */
  public int scheduled() {
    return scheduled;
  }

  /** Step outputs taken in so far, the output of step 0 included with asynchronous scheduling. */
  public int updated() {
    return updated;
  }

  /** Those of {@link #updated} that the requests' own counts do not include. */
  public int outputsAhead() {
    return updated - opened;
  }

  /** Whether step 0 completes prompts and has not ended. */
  public boolean isToBeOpened() {
    return active && completesPrompts && opened == 0;
  }

  /**
   * Begins a segment if one can be told ahead now, before the next {@link Scheduler#schedule}.
   *
   * @param inFlight with asynchronous scheduling the step that is about to run, else ignored
   * @param limit most steps to plan
   * @return whether it has begun: with at least two steps
   */
  public boolean begin(Batch inFlight, int limit) {
    int count = running.size();
    if (count == 0 || (asynchronous && inFlight.size() != count) || !mayBegin(count)) {
      return false;
    }
    if (members.length < count) {
      members = new Sequence[count * 2];
    }
    crossings.clear(count);
    completesPrompts = false;
    int fewest = Integer.MAX_VALUE;
    int ending = 0;
    boolean foreseen = true;
    for (int i = 0; i < count; i++) {
      Sequence sequence = running.get(i);
      if (!(asynchronous ? isAhead(sequence, inFlight, i) : decodesNext(sequence))) {
        return false;
      }
      int last = Math.min(sequence.maxOutputTokens, sequence.stopAfter);
      last = Math.min(last, maxModelLength - sequence.promptTokens);
      int left = last - sequence.outputs - (asynchronous ? 1 : 0);
      if (left < fewest) {
        if (left < 1) {
          return false;
        }
        fewest = left;
        ending = 0;
        foreseen = true;
      }
      if (left == fewest) {
        ending++;
        foreseen &= last == sequence.maxOutputTokens;
      }
      members[i] = sequence;
      crossings.add(sequence.computed);
    }
    crossings.start();
    boolean leave = asynchronous && foreseen && fewest < limit && mayLeave();
    int wanted = leave && ending < count ? fewest + 1 : Math.min(fewest, limit);
    int possible = crossings.stepsWith(blocksToTake(), beforeAdmission(wanted));
    leave &= possible == wanted;
    steps = leave ? wanted : Math.min(possible, fewest);
    if (steps < 2) {
      return false;
    }
    fullSteps = Math.min(steps, fewest);
    leavers = leave ? ending : 0;
    tokensOfLeavers = fewest + 1;
    size = count;
    scheduled = 0;
    updated = 0;
    opened = 0;
    active = true;
    return true;
  }

  private static boolean decodesNext(Sequence sequence) {
    return sequence.outputs > 0
        && sequence.computed == sequence.tokens() - 1
        && sequence.computed >= sequence.contextTokens;
  }

  /** Whether the step in flight gives a running request all that it needs to decode behind it. */
  private boolean isAhead(Sequence sequence, Batch inFlight, int i) {
    if (sequence.placeholders != 1
        || sequence.computed != sequence.tokens()
        || sequence.computed < sequence.contextTokens
        || inFlight.sequence(i) != sequence
        || !inFlight.yieldsToken(i)) {
      return false;
    }
    if (sequence.outputs > 0) {
      return inFlight.newTokens(i) == 1 && inFlight.computedBefore(i) >= sequence.contextTokens;
    }
    completesPrompts = true;
    return mayCompletePrompts();
  }

  /** The next unscheduled step at which something happens; beyond the last one if nothing does. */
  public int nextBusyStep() {
    if (scheduled >= steps) {
      return steps + 1;
    }
    if (nextIsBusy()) {
      return scheduled + 1;
    }
    int next = crossings.nextTake();
    if (completionsAreBusy) {
      next = Math.min(next, crossings.nextCompletion());
    }
    return Math.min(next, steps + 1);
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

  /** Nothing more is to be scheduled. */
  public void stopScheduling() {
    steps = scheduled;
    fullSteps = scheduled;
    leavers = 0;
  }

  /** Takes in the output of {@code count} more steps. */
  public void takeOutputs(int count) {
    updated += count;
  }

  /** Takes in the output of step 0, which gives first tokens. */
  public void open() {
    for (int i = 0; i < size; i++) {
      members[i].outputs++;
    }
    opened = 1;
    updated = 1;
  }

  /**
   * Ends the segment: token counts are brought up to date, and the steps scheduled but without
   * output become batches.
   *
   * @param first receives the earliest such step, and {@code second} the next one; cleared where
   *     there is none
   * @param firstHasEnded whether the first of them has just ended: what it gives is taken in, but
   *     for those that leave, who alone make up its batch
   * @return how many there are
   */
  public int end(Batch first, Batch second, boolean firstHasEnded) {
    int inFlight = scheduled - updated + (asynchronous ? 1 : 0);
    int outputs = updated - opened;
    first.clear();
    second.clear();
    for (int i = 0; i < size; i++) {
      Sequence sequence = members[i];
      boolean leaves = leaves(i);
      int left = leaves && scheduled > fullSteps ? 1 : 0;
      int open = inFlight - left;
      sequence.computed += scheduled - left;
      sequence.outputs += outputs;
      int before = sequence.computed - open;
      if (firstHasEnded && !leaves) {
        sequence.outputs++;
        open--;
        before++;
      } else if (open > 0) {
        first.addDecode(sequence, before++);
        open--;
      }
      if (open > 0) {
        second.addDecode(sequence, before);
      }
      if (asynchronous) {
        sequence.placeholders = sequence.computed - sequence.tokens() + 1;
      }
    }
    active = false;
    return inFlight;
  }
}
