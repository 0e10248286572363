package io.orrery.reports.work;

/** Work that could not be done for a reason that lies outside of it. */
public final class WorkFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the engine's reason. */
  public WorkFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
