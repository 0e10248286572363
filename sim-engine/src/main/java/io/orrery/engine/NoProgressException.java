package io.orrery.engine;

/**
 * A run would never end: a request waits for what cannot happen, or requests take turns in undoing
 * each other's work. The message names one of them.
 */
public final class NoProgressException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoProgressException(String message) {
    super(message);
  }
}
