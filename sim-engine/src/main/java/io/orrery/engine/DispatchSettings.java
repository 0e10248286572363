package io.orrery.engine;

/** When the requests of a trace are sent. Times are nanoseconds. */
public sealed interface DispatchSettings {
  /**
   * Open loop: every request at its recorded time.
   *
   * @param speedup how many times faster than recorded, above 0
   * @param jitterNanos each recorded time is moved later by a random part of this, drawn evenly
   *     from the seed, before it is divided; 0 for none
   */
  record Timestamps(double speedup, long jitterNanos) implements DispatchSettings {
    public Timestamps(double speedup) {
      this(speedup, 0);
    }
  }

  /**
   * A root session starts at its recorded time or from an arrival process; every later request
   * follows what it waits for.
   */
  record ClosedLoop(Arrivals arrivals) implements DispatchSettings {}

  /**
   * So many root sessions are alive at once, closed loop inside; a finished one frees its lane.
   *
   * @param count lanes, at least 1
   * @param recycle start over in fresh namespaces when the trace is used up; needs a limit of
   *     sessions or time
   * @param randomStart start each session at a random turn in the middle half of its turns
   * @param limit root sessions to start in all; {@link Long#MAX_VALUE} for no limit
   */
  record Lanes(int count, boolean recycle, boolean randomStart, long limit)
      implements DispatchSettings {
    public Lanes(int count, boolean recycle, boolean randomStart) {
      this(count, recycle, randomStart, Long.MAX_VALUE);
    }
  }

  /** When root sessions start. */
  sealed interface Arrivals {
    /**
     * As recorded.
     *
     * @param jitterNanos each start is moved later by a random part of this, drawn evenly from the
     *     seed; 0 for none
     */
    record Recorded(long jitterNanos) implements Arrivals {
      public Recorded() {
        this(0);
      }
    }

    /**
     * From a renewal process with gamma-distributed gaps.
     *
     * @param perSecond mean rate of sessions, above 0
     * @param variation coefficient of variation of the gaps: 1 is Poisson, 0 is even spacing
     */
    record Process(double perSecond, double variation) implements Arrivals {}
  }
}
