package io.orrery.scenarios.spec;

/**
 * When root sessions start in a closed loop.
 *
 * @param process recorded start times, or how the gaps are drawn
 * @param ratePerSecond root sessions started per second; 0 for {@link Process#RECORDED}
 * @param cv coefficient of variation of the gaps; 1 unless the process is {@link Process#GAMMA}
 * @param jitterNanos what recorded starts are moved later by at most; 0 for none, and for other
 *     processes
 */
public record ArrivalsSpec(Process process, double ratePerSecond, double cv, long jitterNanos) {

  /** How the gaps between starts come about. */
  public enum Process {
    /** As recorded. */
    RECORDED("recorded"),
    /** Exponential gaps. */
    POISSON("poisson"),
    /** Equal gaps. */
    UNIFORM("uniform"),
    /** Gamma-distributed gaps. */
    GAMMA("gamma");

    private final String key;

    Process(String key) {
      this.key = key;
    }

    /** The word that scenarios use. */
    public String key() {
      return key;
    }
  }
}
