package io.orrery.engine.admission;

/**
 * What is to become of a request.
 *
 * @param kind whether it goes on
 * @param worker the worker that it must go to, whatever the router says, or {@link #ANY_WORKER}
 * @param priorityJumpSeconds moves it in the router's queue as if it had been sent so much earlier;
 *     does nothing where that queue is off
 * @param reason a few words in kebab case, for the record
 */
public record Verdict(Kind kind, int worker, double priorityJumpSeconds, String reason) {
  /** The router chooses. */
  public static final int ANY_WORKER = -1;

  /** Lets a request pass. */
  public static final Verdict ADMIT = new Verdict(Kind.ADMIT, ANY_WORKER, 0, "admitted");

  /** Whether the request goes on. */
  public enum Kind {
    /** It goes to the router, or to the worker that is named. */
    ADMIT,
    /** It waits until it is released. */
    HOLD,
    /** It ends without having run. */
    REFUSE
  }

  /** Lets a request pass to {@code worker}. */
  public static Verdict admit(int worker, double priorityJumpSeconds, String reason) {
    return new Verdict(Kind.ADMIT, worker, priorityJumpSeconds, reason);
  }

  /** Holds a request back. */
  public static Verdict hold(String reason) {
    return new Verdict(Kind.HOLD, ANY_WORKER, 0, reason);
  }

  /** Refuses a request. */
  public static Verdict refuse(String reason) {
    return new Verdict(Kind.REFUSE, ANY_WORKER, 0, reason);
  }
}
