package io.orrery.engine.routing;

/**
 * A routing policy or one of its parameters that cannot be used. The message reads {@code
 * routing.KEY: found VALUE, expected WHAT}; its parts are kept for a caller that knows the line
 * where the key stands.
 */
public final class InvalidRoutingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String key;
  private final String found;
  private final String expected;

  InvalidRoutingException(String key, String found, String expected) {
    super("routing." + key + ": found " + found + ", expected " + expected);
    this.key = key;
    this.found = found;
    this.expected = expected;
  }

  /** {@code policy}, or the name of a parameter. */
  public String key() {
    return key;
  }

  /** What stands there. */
  public String found() {
    return found;
  }

  /** What should stand there. */
  public String expected() {
    return expected;
  }
}
