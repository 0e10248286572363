package io.orrery.models;

/**
 * A data file of the catalogue is malformed; the message gives file, line, field and expectation.
 */
public final class CatalogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CatalogException(String message) {
    super(message);
  }

  CatalogException(String message, Throwable cause) {
    super(message, cause);
  }
}
