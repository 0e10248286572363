package io.orrery.engine.scheduler;

/**
 * The prefix cache statistics that vLLM logs: requests, queried tokens and hit tokens, resumed
 * requests apart.
 */
public final class PrefixCacheCounters {
  private long requests;
  private long queries;
  private long hits;
  private long preemptedRequests;
  private long preemptedQueries;
  private long preemptedHits;

  void add(int queried, int hit, boolean preempted) {
    if (preempted) {
      preemptedRequests++;
      preemptedQueries += queried;
      preemptedHits += hit;
    } else {
      requests++;
      queries += queried;
      hits += hit;
    }
  }

  public long requests() {
    return requests;
  }

  public long queriedTokens() {
    return queries;
  }

  public long hitTokens() {
    return hits;
  }

  public long preemptedRequests() {
    return preemptedRequests;
  }

  public long preemptedQueriedTokens() {
    return preemptedQueries;
  }

  public long preemptedHitTokens() {
    return preemptedHits;
  }
}
