package io.orrery.models;

/** A worker's GPUs are too small for its model; the message says by how much and what would fit. */
public final class DoesNotFitException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final long missingBytes;

  DoesNotFitException(String message, long missingBytes) {
    super(message);
    this.missingBytes = missingBytes;
  }

  /** Bytes missing on the fullest GPU, before a single KV token is stored. */
  public long missingBytes() {
    return missingBytes;
  }
}
