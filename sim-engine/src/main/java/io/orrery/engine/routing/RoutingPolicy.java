package io.orrery.engine.routing;

/**
 * Places requests on workers.
 *
 * <p>One instance serves one run. It is asked once a request, in the engine's total order of
 * events, and hears what becomes of the request afterwards, with the same block keys and the time
 * of the call. It must be deterministic: randomness comes from {@link RoutingContext#draws}.
 */
public interface RoutingPolicy {
  /** What {@link #choose} returns to turn a request away. */
  int REFUSED = -1;

  /**
   * Chooses where {@code request} goes.
   *
   * @return an index into {@code candidates}, or {@link #REFUSED}
   */
  int choose(RoutedRequest request, Candidates candidates);

  /**
   * Leading prompt blocks of the request chosen for last that {@code worker} was believed to hold,
   * in whatever tier; -1 if the policy keeps no beliefs of its own, and the router's index is
   * asked.
   */
  default int believedBlocks(int worker) {
    return -1;
  }

  /**
   * Prompt tokens of {@code request}, the one chosen for last, that {@code worker} will not have to
   * compute; the rest counts as prefill in the router's ledger. -1 if that follows from {@link
   * #believedBlocks}.
   */
  default int cachedTokens(RoutedRequest request, int worker) {
    return -1;
  }

  /**
   * Says what the last call of {@link #choose} went by, for those who want to read decisions.
   *
   * @param candidates those of that call
   */
  default void explain(DecisionTerms terms, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      terms.put(i, "requests_in_flight", candidates.get(i).requestsInFlight());
    }
  }

  /**
   * {@code request} was placed on worker {@code worker}. Comes right after {@link #choose} for that
   * request, with no call in between. Not called for a request that the worker refuses.
   */
  default void placed(RoutedRequest request, int worker) {}

  /**
   * Another replica of the router placed {@code request} on {@code worker}, and the news has come.
   * As if it was placed here, unless overridden; {@link #firstToken} and {@link #endedElsewhere}
   * follow.
   */
  default void placedElsewhere(RoutedRequest request, int worker) {
    placed(request, worker);
  }

  /**
   * {@code request} got its first output token: its prefill is over. Not called for a request that
   * ends without one, nor again after a preemption.
   */
  default void firstToken(RoutedRequest request, int worker) {}

  /** {@code request} ended on {@code worker}, however. Once for each {@link #placed}. */
  default void ended(RoutedRequest request, int worker) {}

  /** {@code request}, of which {@link #placedElsewhere} told, ended, and the news has come. */
  default void endedElsewhere(RoutedRequest request, int worker) {
    ended(request, worker);
  }
}
