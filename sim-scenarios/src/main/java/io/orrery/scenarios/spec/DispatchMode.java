package io.orrery.scenarios.spec;

/** When requests are sent. */
public enum DispatchMode {
  /** Closed loop where the trace's sessions share a clock, lanes where they do not. */
  AUTO("auto"),
  /** A number of sessions alive at once. */
  LANES("lanes"),
  /** Later turns wait for the simulated completion of what they waited for. */
  CLOSED_LOOP("closed-loop"),
  /** Every request at its recorded time. */
  TIMESTAMPS("timestamps");

  private final String key;

  DispatchMode(String key) {
    this.key = key;
  }

  /** The word that scenarios use. */
  public String key() {
    return key;
  }
}
