package io.orrery.models.config;

/**
 * A model configuration that cannot be read or is not supported; the message gives file, line,
 * field, value and expectation.
 */
public final class ModelConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ModelConfigException(String message) {
    super(message);
  }

  ModelConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
