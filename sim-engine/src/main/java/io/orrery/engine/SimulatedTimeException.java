package io.orrery.engine;

/**
 * Settings or a trace lead to times that the clock, 2^63 nanoseconds or 292 years, does not hold.
 */
public final class SimulatedTimeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what leads there, and what was expected
   */
  public SimulatedTimeException(String message) {
    super(message);
  }
}
