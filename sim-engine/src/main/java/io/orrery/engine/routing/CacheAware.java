package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.List;

/**
 * The cache-aware policy of the SGLang router ({@code sgl-router/src/policies/cache_aware.rs},
 * 026f853b). If the requests in flight are out of balance, that is if {@code max − min} is above
 * the absolute and {@code max} above the relative threshold times {@code min}, the worker with the
 * fewest is taken. Else the prompt is matched against what the router has placed: the worker with
 * the longest match is taken if that is more than the cache threshold of the prompt, otherwise the
 * worker of which the router remembers least. What it remembers of a worker is bounded, the blocks
 * placed longest ago are forgotten first. Of equal ones the first is taken.
 *
 * <p>SGLang matches characters and prunes every few minutes; here it is tokens in blocks, and at
 * once.
 */
public final class CacheAware implements RoutingPolicy {
  private static final List<PolicyParameter> PARAMETERS =
      List.of(
          PolicyParameter.number(
              "cacheThreshold",
              "0.3",
              0,
              1,
              "Share of the prompt that must match before the longest match is followed."),
          PolicyParameter.number(
              "balanceAbsThreshold",
              "64",
              0,
              1e9,
              "Requests in flight between the most and the least loaded worker above which balance goes first."),
          PolicyParameter.number(
              "balanceRelThreshold", "1.5", 1, 1e6, "The same as a ratio; both must be passed."),
          PolicyParameter.number(
              "maxTreeTokens",
              "16777216",
              1,
              1e15,
              "Tokens remembered of a worker (SGLang: 67,108,864 characters)."));

  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "cache-aware",
          "SGLang's router: balances when out of balance, else follows the longest match, else goes where it remembers least.",
          PARAMETERS,
          CacheAware::new);

  static final RoutingPolicyFactory SGLANG_2024_12 =
      new NamedPolicy(
          "sglang-2024-12",
          "SGLang's cache-aware router with its first defaults: 0.5, 32, 1.0001.",
          PolicyParameter.withDefaults(
              PARAMETERS,
              "cacheThreshold",
              "0.5",
              "balanceAbsThreshold",
              "32",
              "balanceRelThreshold",
              "1.0001"),
          CacheAware::new);

  private final double cacheThreshold;
  private final double balanceAbsThreshold;
  private final double balanceRelThreshold;
  private final ApproximateIndex placed;
  private final int[] depths;

  private CacheAware(RoutingContext context) {
    cacheThreshold = context.number("cacheThreshold");
    balanceAbsThreshold = context.number("balanceAbsThreshold");
    balanceRelThreshold = context.number("balanceRelThreshold");
    placed =
        ApproximateIndex.leastRecentlyUsed(
            context.workers(),
            Math.max(1, (long) (context.number("maxTreeTokens") / context.blockSize())));
    depths = new int[context.workers()];
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    placed.depths(request, depths);
    int fewest = 0;
    int most = 0;
    int longest = 0;
    int smallest = 0;
    for (int i = 1; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      int requests = worker.requestsInFlight();
      fewest = requests < candidates.get(fewest).requestsInFlight() ? i : fewest;
      most = requests > candidates.get(most).requestsInFlight() ? i : most;
      longest = depths[worker.id()] > depths[candidates.get(longest).id()] ? i : longest;
      smallest =
          placed.blocks(worker.id()) < placed.blocks(candidates.get(smallest).id()) ? i : smallest;
    }
    int least = candidates.get(fewest).requestsInFlight();
    int greatest = candidates.get(most).requestsInFlight();
    if (greatest - least > balanceAbsThreshold && greatest > least * balanceRelThreshold) {
      return fewest;
    }
    double matched = (double) depths[candidates.get(longest).id()] * request.blockSize();
    return matched / request.inputTokens() > cacheThreshold ? longest : smallest;
  }

  @Override
  public void explain(DecisionTerms terms, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      terms
          .put(i, "matched_blocks", depths[worker.id()])
          .put(i, "remembered_blocks", placed.blocks(worker.id()))
          .put(i, "requests_in_flight", worker.requestsInFlight());
    }
  }

  @Override
  public int believedBlocks(int worker) {
    return depths[worker];
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    placed.placed(request, worker);
  }
}
