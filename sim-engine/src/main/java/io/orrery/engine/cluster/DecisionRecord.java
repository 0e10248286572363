package io.orrery.engine.cluster;

import io.orrery.engine.record.Decision;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.Samples;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.DecisionTerms;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingPolicy;
import org.jspecify.annotations.Nullable;

/** Writes down decisions, for recorders that want to hear them. */
final class DecisionRecord {
  private final Worker[] workers;
  private final BlockFacts facts;
  private final FirstTokenEstimate estimate;
  private final Samples regretNanos = new Samples();
  private final int[] reach;

  /**
   * @param onTheirWay requests that were placed and are not in their worker's scheduler yet
   * @param blockSize tokens of a block
   */
  DecisionRecord(
      Worker[] workers,
      BlockFacts facts,
      RunColumns columns,
      OnTheirWay onTheirWay,
      int blockSize) {
    this.workers = workers;
    estimate = new FirstTokenEstimate(columns, onTheirWay, blockSize);
    this.facts = facts;
    reach = new int[workers.length];
  }

  /** How much earlier first tokens would have come on the best candidate, by the estimates. */
  Samples regretNanos() {
    return regretNanos;
  }

  /**
   * What can be said of a decision before it is carried out.
   *
   * @param believed by worker, or null if nobody had a belief
   */
  Decision of(
      RoutedRequest request,
      Candidates candidates,
      RoutingPolicy policy,
      int replica,
      int @Nullable [] believed,
      int choice,
      int worker) {
    int size = candidates.size();
    DecisionTerms terms = new DecisionTerms(size);
    policy.explain(terms, candidates);
    int blockSize = request.blockSize();
    int reusable = Math.min(request.identifiedBlocks(), (request.inputTokens() - 1) / blockSize);
    facts.reach(request.keys(), reusable, reach);
    int[] ids = new int[size];
    int[] beliefs = new int[size];
    int[] held = new int[size];
    long[] firstToken = new long[size];
    for (int i = 0; i < size; i++) {
      int id = candidates.get(i).id();
      ids[i] = id;
      beliefs[i] = believed == null ? -1 : believed[id];
      held[i] = reach[id];
      int cached = reach[id] * blockSize;
      firstToken[i] = estimate.nanos(workers[id], request.inputTokens() - cached, cached);
    }
    Decision decision =
        new Decision(
            request.id(),
            request.nowNanos(),
            replica,
            ids,
            terms,
            beliefs,
            held,
            firstToken,
            choice,
            worker);
    regretNanos.add(decision.regretNanos(), 1);
    return decision;
  }
}
