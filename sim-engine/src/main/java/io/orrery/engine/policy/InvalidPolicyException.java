package io.orrery.engine.policy;

/**
 * A policy or one of its parameters that cannot be used. The message reads {@code routing.KEY:
 * found VALUE, expected WHAT}; its parts are kept for a caller that knows the line where the key
 * stands.
 */
public final class InvalidPolicyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final PolicyKind kind;
  private final String key;
  private final String found;
  private final String expected;

  /**
   * @param key {@code policy}, or the name of a parameter
   * @param found what stands there
   * @param expected what should stand there
   */
  public InvalidPolicyException(PolicyKind kind, String key, String found, String expected) {
    super(kind.key() + "." + key + ": found " + found + ", expected " + expected);
    this.kind = kind;
    this.key = key;
    this.found = found;
    this.expected = expected;
  }

  /** Where it stands in a scenario: {@code routing.ttl}. */
  public String path() {
    return kind.key() + "." + key;
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
