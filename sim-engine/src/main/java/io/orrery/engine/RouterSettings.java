package io.orrery.engine;

import io.orrery.engine.routing.PlacementRule;
import java.util.List;

/**
 * How the router works besides its policy: how good its knowledge is, how many replicas of it there
 * are, what its own work costs, and when it makes requests wait.
 *
 * @param indexDelayNanos how long a worker's block events take to reach the router
 * @param indexLoss probability that a block event is lost on the way
 * @param metricsIntervalNanos how often workers' metrics are scraped, at multiples of this; 0 reads
 *     them at the moment of the decision
 * @param replicas routers side by side; each request comes to one of them, drawn evenly
 * @param replicaDelayNanos how long the news of one replica's requests takes to reach the others;
 *     {@link #NEVER} if they are not told
 * @param expiryNanos how long after its placement the ledger forgets a request; {@link #NEVER}
 *     keeps it to its end
 * @param lookUpNanos what a decision costs a replica
 * @param updateNanos what a block event costs a replica
 * @param busyBlocks share of a worker's KV blocks, counted in the ledger, above which it gets
 *     nothing more; {@link Double#POSITIVE_INFINITY} for no such limit
 * @param busyPrefillTokens prefill tokens in the ledger above which a worker gets nothing more
 * @param busyPrefillShare the same in multiples of what one step of the worker computes at most
 * @param queue when requests wait at the router
 * @param placement which workers certain requests may go to
 */
public record RouterSettings(
    long indexDelayNanos,
    double indexLoss,
    long metricsIntervalNanos,
    int replicas,
    long replicaDelayNanos,
    long expiryNanos,
    long lookUpNanos,
    long updateNanos,
    double busyBlocks,
    double busyPrefillTokens,
    double busyPrefillShare,
    Queue queue,
    List<PlacementRule> placement) {
  /** A time that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  /** One router that knows everything at once, and never lets anybody wait. */
  public static final RouterSettings IDEAL =
      new RouterSettings(
          0,
          0,
          0,
          1,
          NEVER,
          NEVER,
          0,
          0,
          Double.POSITIVE_INFINITY,
          Double.POSITIVE_INFINITY,
          Double.POSITIVE_INFINITY,
          Queue.OFF,
          List.of());

  public RouterSettings {
    placement = List.copyOf(placement);
    notNegative("indexDelay", indexDelayNanos);
    notNegative("metricsInterval", metricsIntervalNanos);
    notNegative("replicaDelay", replicaDelayNanos);
    notNegative("lookUpTime", lookUpNanos);
    notNegative("updateTime", updateNanos);
    if (!(indexLoss >= 0 && indexLoss <= 1)) {
      throw new IllegalArgumentException(
          "indexLoss: found " + indexLoss + ", expected a probability");
    }
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas: found " + replicas + ", expected at least 1");
    }
  }

  private static void notNegative(String name, long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException(name + ": found " + nanos + " ns, expected 0 or more");
    }
  }

  /** An ideal router whose index lags behind. */
  public static RouterSettings withIndexDelay(long nanos) {
    return new RouterSettings(
        nanos,
        0,
        0,
        1,
        NEVER,
        NEVER,
        0,
        0,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Queue.OFF,
        List.of());
  }

  /** The same with these placement rules. */
  public RouterSettings withPlacement(List<PlacementRule> rules) {
    return new RouterSettings(
        indexDelayNanos,
        indexLoss,
        metricsIntervalNanos,
        replicas,
        replicaDelayNanos,
        expiryNanos,
        lookUpNanos,
        updateNanos,
        busyBlocks,
        busyPrefillTokens,
        busyPrefillShare,
        queue,
        rules);
  }

  /** Whether workers are left out while they are busy. */
  public boolean filtersBusy() {
    return busyBlocks < Double.POSITIVE_INFINITY
        || busyPrefillTokens < Double.POSITIVE_INFINITY
        || busyPrefillShare < Double.POSITIVE_INFINITY;
  }

  /**
   * When requests wait at the router, and who goes first.
   *
   * @param threshold a request waits while the ledger has more prefill tokens than this many full
   *     steps on every worker that it may go to; {@link Double#POSITIVE_INFINITY} for never
   * @param order who goes first
   * @param strict whether a request's priority goes before everything else; if not, it is a head
   *     start in seconds
   */
  public record Queue(double threshold, Order order, boolean strict) {
    /** No request ever waits. */
    public static final Queue OFF = new Queue(Double.POSITIVE_INFINITY, Order.FCFS, false);

    public Queue {
      if (!(threshold >= 0)) {
        throw new IllegalArgumentException(
            "queue.threshold: found " + threshold + ", expected 0 or more");
      }
    }

    /** Whether requests can wait. */
    public boolean on() {
      return threshold < Double.POSITIVE_INFINITY;
    }
  }

  /** Who goes first. */
  public enum Order {
    /** Who came first, less its head start. */
    FCFS,
    /** Who came last, plus its head start. */
    LCFS,
    /** Weighted shortest prefill: (1 + head start) by uncached tokens. */
    WSPT
  }
}
