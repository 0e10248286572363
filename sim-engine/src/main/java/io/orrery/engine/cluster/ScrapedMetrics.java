package io.orrery.engine.cluster;

/**
 * What the workers reported at the last scrape. Scrapes are at multiples of an interval and see
 * what was true before anything happened at that instant.
 */
final class ScrapedMetrics {
  private final long intervalNanos;
  private final int[] usedBlocks;
  private final int[] running;
  private final int[] waiting;
  private long scrapes;

  /**
   * @param intervalNanos 0 for no scrapes: everything is read when it is asked for
   */
  ScrapedMetrics(long intervalNanos, int workers) {
    this.intervalNanos = intervalNanos;
    usedBlocks = new int[workers];
    running = new int[workers];
    waiting = new int[workers];
  }

  boolean live() {
    return intervalNanos == 0;
  }

  /** Scrapes if it is time: nothing has happened since the last instant, {@code t} comes next. */
  void upTo(long t, Worker[] workers) {
    if (intervalNanos == 0 || t / intervalNanos <= scrapes) {
      return;
    }
    scrapes = t / intervalNanos;
    for (Worker worker : workers) {
      worker.catchUp(scrapes * intervalNanos - 1, true);
      usedBlocks[worker.id()] = worker.usedBlocks();
      running[worker.id()] = worker.runningRequests();
      waiting[worker.id()] = worker.waitingRequests();
    }
  }

  int usedBlocks(int worker) {
    return usedBlocks[worker];
  }

  int running(int worker) {
    return running[worker];
  }

  int waiting(int worker) {
    return waiting[worker];
  }
}
