package io.orrery.cli;

/** A command that cannot be carried out as given; the message is for the user. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
