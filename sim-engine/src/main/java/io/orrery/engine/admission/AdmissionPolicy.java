package io.orrery.engine.admission;

import io.orrery.engine.routing.RoutedRequest;

/**
 * Decides when requests may go to a worker.
 *
 * <p>One instance serves one run. Every request is shown once, with {@link #arrived}, and unless
 * the policy refuses it, ends once, with {@link #ended}. What {@code arrived} holds back waits
 * until the policy {@linkplain Gate#release releases} it, in whatever later call; a request that is
 * never released stops the run with an error that names the policy. Calls come in the engine's
 * total order of events and are never nested: a release takes effect when the call has returned.
 *
 * <p>At one instant all steps that end then have ended before the policy hears of anything. It must
 * be deterministic: randomness comes from {@link AdmissionContext#draws}.
 */
public interface AdmissionPolicy {
  /** The client has sent {@code request}. */
  Verdict arrived(RoutedRequest request);

  /**
   * {@code request} was placed on {@code worker}: the one that was asked for, else the router's.
   */
  default void placed(RoutedRequest request, int worker) {}

  /** {@code request} got its first output token: its prefill is over. */
  default void firstToken(RoutedRequest request, int worker) {}

  /**
   * {@code request} ended, however; not called for one that the policy itself refused.
   *
   * @param worker where it was, or -1 if no worker took it and it never ran
   * @param outputTokens it got
   */
  default void ended(RoutedRequest request, int worker, int outputTokens) {}

  /**
   * The last request of {@code session} has ended. What a client that gives up without a word would
   * not say: whether to listen is the policy's choice.
   */
  default void sessionEnded(int session, long nowNanos) {}

  /**
   * When {@link #tick} is to be called next, in nanoseconds of simulated time and after the present
   * instant; {@link Long#MAX_VALUE} for not at all. Asked after every call; only the last answer
   * counts. Ticks alone do not keep a run alive that has nothing left to do and holds no request.
   */
  default long nextTickNanos() {
    return Long.MAX_VALUE;
  }

  /** The moment that {@link #nextTickNanos} asked for. */
  default void tick(long nowNanos) {}
}
