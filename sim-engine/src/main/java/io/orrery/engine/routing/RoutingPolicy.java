package io.orrery.engine.routing;

/**
 * Places requests on workers.
 *
 * <p>One instance serves one run. It is asked once a request, in the engine's total order of
 * events, and hears what becomes of the request afterwards, with the same block keys and the time
 * of the call. It must be deterministic: randomness comes from {@link RoutingContext#draws}.
 */
public interface RoutingPolicy {
  /**
   * Chooses where {@code request} goes.
   *
   * @return an index into {@code candidates}
   */
  int choose(RoutedRequest request, Candidates candidates);

  /**
   * {@code request} was placed on worker {@code worker}. Comes right after {@link #choose} for that
   * request, with no call in between. Not called for a request that the worker refuses.
   */
  default void placed(RoutedRequest request, int worker) {}

  /**
   * {@code request} got its first output token: its prefill is over. Not called for a request that
   * ends without one, nor again after a preemption.
   */
  default void firstToken(RoutedRequest request, int worker) {}

  /** {@code request} ended on {@code worker}, however. Once for each {@link #placed}. */
  default void ended(RoutedRequest request, int worker) {}
}
