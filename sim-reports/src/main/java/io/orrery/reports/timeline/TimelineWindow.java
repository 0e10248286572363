package io.orrery.reports.timeline;

/**
 * The part of a run that a timeline shows.
 *
 * @param fromNanos simulated time at which it begins
 * @param toNanos where it ends
 * @param oneIn one session in so many is shown, and so many steps of a worker that follow each
 *     other are shown as one; 1 shows all
 */
public record TimelineWindow(long fromNanos, long toNanos, int oneIn) {
  /** Whether something that lasted from one moment to another reaches into it. */
  boolean shows(long from, long to) {
    return to >= fromNanos && from <= toNanos;
  }

  /** The same, which ends at a moment. */
  TimelineWindow until(long nanos) {
    return new TimelineWindow(fromNanos, Math.min(toNanos, nanos), oneIn);
  }

  /** Whether a session is shown. */
  boolean showsSession(int session) {
    return session % oneIn == 0;
  }
}
