package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What "less loaded" means. Workers with equal load are told apart by their requests in flight, and
 * then not at all: who breaks that tie is the policy's choice.
 */
enum Load {
  /** Requests in flight. */
  REQUESTS,
  /** Input tokens of the requests in flight. */
  TOKENS,
  /** The share of its KV blocks that running requests hold, as the worker reports it. */
  KV;

  static final PolicyParameter PARAMETER =
      PolicyParameter.choice(
          "load",
          "requests",
          List.of("requests", "tokens", "kv"),
          "What counts as load: requests in flight, their input tokens, or the share of KV blocks that running"
              + " requests hold; equal loads are told apart by requests in flight.");

  static Load of(RoutingContext context) {
    return valueOf(context.text(PARAMETER.name()).toUpperCase(Locale.ROOT));
  }

  /** Negative if {@code a} is less loaded than {@code b}, 0 if nothing tells them apart. */
  int compare(WorkerView a, WorkerView b) {
    int order =
        switch (this) {
          case REQUESTS -> 0;
          case TOKENS -> Long.compare(a.tokensInFlight(), b.tokensInFlight());
          case KV ->
              Long.compare(
                  (long) a.usedBlocks() * b.totalBlocks(), (long) b.usedBlocks() * a.totalBlocks());
        };
    return order != 0 ? order : Integer.compare(a.requestsInFlight(), b.requestsInFlight());
  }

  /** The index of the candidate that {@code order} puts first. */
  static int first(Candidates candidates, Comparator<WorkerView> order) {
    int best = 0;
    for (int i = 1; i < candidates.size(); i++) {
      if (order.compare(candidates.get(i), candidates.get(best)) < 0) {
        best = i;
      }
    }
    return best;
  }
}
