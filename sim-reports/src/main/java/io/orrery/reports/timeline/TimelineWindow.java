package io.orrery.reports.timeline;

/**
 * The part of a run that a timeline shows.
 *
 * @param fromNanos simulated time at which it begins
 * @param toNanos where it ends
 */
public record TimelineWindow(long fromNanos, long toNanos) {
  /** The whole run. */
  public static final TimelineWindow WHOLE = new TimelineWindow(0, Long.MAX_VALUE);

  /** Whether something that lasted from one moment to another reaches into it. */
  boolean shows(long from, long to) {
    return to >= fromNanos && from <= toNanos;
  }
}
