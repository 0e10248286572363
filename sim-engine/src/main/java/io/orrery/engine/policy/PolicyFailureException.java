package io.orrery.engine.policy;

import org.jspecify.annotations.Nullable;

/**
 * A policy broke its contract: it threw, chose something that does not exist, or left a request
 * waiting for ever. The message names the policy, the request, and what it did.
 */
public final class PolicyFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private PolicyFailureException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * @param request id of the request that it was asked about, or null if about none
   * @param what it did, such as "chose candidate 7 of 4"
   */
  public static PolicyFailureException did(
      PolicyFactory policy, @Nullable String request, String what) {
    return new PolicyFailureException(prefix(policy, request) + what, null);
  }

  /**
   * @param request id of the request that it was asked about, or null if about none
   * @param cause what it threw
   */
  public static PolicyFailureException threw(
      PolicyFactory policy, @Nullable String request, Throwable cause) {
    return new PolicyFailureException(
        prefix(policy, request) + "threw " + cause + place(cause), cause);
  }

  private static String prefix(PolicyFactory policy, @Nullable String request) {
    return policy.kind().key()
        + " policy '"
        + policy.name()
        + "'"
        + (request == null ? "" : ", asked about request " + request + ",")
        + " ";
  }

  private static String place(Throwable cause) {
    StackTraceElement[] trace = cause.getStackTrace();
    return trace.length == 0 ? "" : " at " + trace[0];
  }
}
