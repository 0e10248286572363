package io.orrery.models.kernels;

/**
 * A kernel that no table or law knows; the message names the kernel, the source and the nearest.
 */
public final class MissingKernelException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MissingKernelException(String message) {
    super(message);
  }
}
