package io.orrery.engine.scheduler;

/**
 * The pages of SGLang's decode passes. Where there are too few, requests are retracted until the
 * rest can go on: those with the fewest outputs, which queue again at the end; one that is left
 * alone and still finds none is given up.
 */
final class DecodePages {
  private final RunningList running;
  private final PagedMemory memory;
  private final PagedQueue waiting;
  private final ReservedOutputRatio ratio;
  private final SchedulerListener listener;
  private final int pageTokens;

  DecodePages(
      RunningList running,
      PagedMemory memory,
      PagedQueue waiting,
      ReservedOutputRatio ratio,
      SchedulerListener listener,
      int pageTokens) {
    this.running = running;
    this.memory = memory;
    this.waiting = waiting;
    this.ratio = ratio;
    this.listener = listener;
    this.pageTokens = pageTokens;
  }

  /** Whether the next token of a running request begins a page. */
  boolean startsPage(Sequence sequence) {
    return sequence.computed % pageTokens == 0;
  }

  /** Whether all running requests find the pages for one token more, evicting what has to go. */
  boolean suffice() {
    long pages = 0;
    for (int i = 0; i < running.size(); i++) {
      pages += startsPage(running.get(i)) ? 1 : 0;
    }
    memory.evictFor(pages * pageTokens);
    return memory.availableTokens() >= pages * pageTokens;
  }

  /** Takes requests back until the rest can decode, and estimates anew how much they will need. */
  void retract() {
    do {
      if (running.size() == 1) {
        break;
      }
      Sequence victim = running.fewestOutputs();
      running.remove(victim);
      listener.preempted(victim, victim.computed);
      victim.lostTokens = Math.max(victim.lostTokens, victim.computed);
      memory.release(victim.paged());
      victim.computed = 0;
      victim.placeholders = 0;
      victim.contextTokens = 0;
      victim.preemptions++;
      victim.state = Sequence.State.PREEMPTED;
      memory.evictFor((long) running.size() * ReservedOutputRatio.RETRACT_PASSES);
      waiting.add(victim.paged());
    } while (!suffice());
    if (running.size() == 1 && !suffice()) {
      giveUp(running.get(0));
    }
    ratio.estimate(running);
  }

  private void giveUp(Sequence sequence) {
    running.remove(sequence);
    listener.failing(sequence);
    memory.release(sequence.paged());
    sequence.state = Sequence.State.FINISHED;
  }
}
