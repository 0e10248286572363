package io.orrery.engine.policy;

/** A policy from elsewhere that cannot be taken in: it has no proper name, or that of another. */
public final class InvalidPluginException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidPluginException(String message) {
    super(message);
  }
}
