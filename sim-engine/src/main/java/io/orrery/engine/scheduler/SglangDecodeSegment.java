package io.orrery.engine.scheduler;

/**
 * SGLang's decode-only passes: pages are counted, the tree gives way where they run out, and the
 * ratio of reserved output falls with every pass.
 */
final class SglangDecodeSegment extends DecodeSegment {
  private final SglangScheduler scheduler;
  private final PagedMemory memory;
  private int passes;

  SglangDecodeSegment(SglangScheduler scheduler) {
    super(scheduler.settings, scheduler.running, false);
    this.scheduler = scheduler;
    this.memory = scheduler.memory;
  }

  @Override
  boolean mayBegin(int count) {
    passes = 0;
    return scheduler.decodesOnly(count);
  }

  /** The end of a prompt moves its pages into the tree. */
  @Override
  boolean mayCompletePrompts() {
    return false;
  }

  /** A request computes one token more than it needs. */
  @Override
  boolean mayLeave() {
    return false;
  }

  /** The batch counts as full until a request leaves it: a lower ratio alone admits nobody. */
  @Override
  int beforeAdmission(int steps) {
    return steps;
  }

  @Override
  int blocksToTake() {
    long tokens = memory.availableTokens() + memory.evictableTokens();
    return (int) Math.min(tokens / blockSize, Integer.MAX_VALUE);
  }

  /** Allocation by pages makes room for a page per request, whether they need one or not. */
  @Override
  boolean nextIsBusy() {
    return memory.availableTokens() < (long) size() * blockSize && memory.evictableTokens() > 0;
  }

  @Override
  void scheduleStep(int step) {
    int pages = 0;
    while (crossings.nextTake() == step) {
      crossings.passTake();
      pages++;
    }
    memory.evictFor((long) pages * blockSize);
    memory.evictFor((long) size() * blockSize);
    memory.take(pages);
    passQuietly(step);
  }

  @Override
  void passQuietly(int step) {
    while (passes < step) {
      passes = scheduler.ratio.fall() ? passes + 1 : step;
    }
  }
}
