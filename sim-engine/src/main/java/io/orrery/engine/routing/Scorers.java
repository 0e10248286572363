package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import io.orrery.engine.policy.PolicyParameter;
import java.util.List;

/**
 * The endpoint picker of llm-d and the Gateway API inference extension ({@code
 * EndpointPickerConfig}): takes the candidate with the highest weighted sum of scores between 0 and
 * 1,
 *
 * <pre>
 *   prefix   matched blocks / blocks of the prompt, both of the first maxPrefixBlocks
 *   queue    (longest − waiting) / (longest − shortest) over the candidates; 1 if all are equal
 *   kv       1 − used blocks / blocks
 *   running  as queue, of the requests in the batch
 * </pre>
 *
 * <p>Of equal sums one is drawn. Queue, KV use and batch are what the workers report, so they are
 * as old as the last scrape ({@code routing.metricsInterval}; llm-d scrapes every 50 ms).
 */
public final class Scorers implements RoutingPolicy {
  private static final List<PolicyParameter> PARAMETERS =
      PolicyParameter.withDefaults(
          KvBeliefs.with(
              List.of(
                  weight("prefixWeight", "3", "prefix-cache-scorer"),
                  weight("queueWeight", "2", "queue-scorer"),
                  weight("kvWeight", "2", "kv-cache-utilization-scorer"),
                  weight("runningWeight", "0", "running-requests-size-scorer"),
                  PolicyParameter.number(
                      "maxPrefixBlocks",
                      "256",
                      1,
                      1e9,
                      "Leading blocks of the prompt that are matched (maxPrefixBlocksToMatch)."))),
          "index",
          "approximate",
          "approximateEviction",
          "lru");

  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "scorers",
          "llm-d's endpoint picker: the highest weighted sum of prefix match, short queue, free KV and small batch.",
          PARAMETERS,
          Scorers::new);

  static final RoutingPolicyFactory LLM_D_PRECISE =
      new NamedPolicy(
          "llm-d-precise-2026-11",
          "llm-d's precise-prefix-cache-scorer: matches whole prompts against the workers' block events.",
          PolicyParameter.withDefaults(
              PARAMETERS, "index", "events", "maxPrefixBlocks", "1000000000"),
          Scorers::new);

  private final double prefixWeight;
  private final double queueWeight;
  private final double kvWeight;
  private final double runningWeight;
  private final int maxPrefixBlocks;
  private final KvBeliefs beliefs;
  private final Draws draws;
  private final int[] depths;
  private final double[] costs;

  private Scorers(RoutingContext context) {
    prefixWeight = context.number("prefixWeight");
    queueWeight = context.number("queueWeight");
    kvWeight = context.number("kvWeight");
    runningWeight = context.number("runningWeight");
    maxPrefixBlocks = (int) context.number("maxPrefixBlocks");
    beliefs = new KvBeliefs(context);
    draws = context.draws("routing.scorers");
    depths = new int[context.workers()];
    costs = new double[context.workers()];
  }

  private static PolicyParameter weight(String name, String value, String scorer) {
    return PolicyParameter.number(name, value, 0, 1e6, "Weight of the " + scorer + ".");
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    beliefs.see(candidates);
    beliefs.depths(request, depths);
    score(request, candidates);
    return Costs.lowest(costs, candidates.size(), draws, request.id());
  }

  /** Computes the weighted sum of every candidate's scores, negated: the lowest is taken. */
  double[] score(RoutedRequest request, Candidates candidates) {
    int longest = 0;
    int shortest = Integer.MAX_VALUE;
    int largest = 0;
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      longest = Math.max(longest, worker.waitingRequests());
      shortest = Math.min(shortest, worker.waitingRequests());
      largest = Math.max(largest, worker.runningRequests());
      smallest = Math.min(smallest, worker.runningRequests());
    }
    double blocks = Math.min(request.promptBlocks(), maxPrefixBlocks);
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      double prefix = Math.min(depths[worker.id()], maxPrefixBlocks) / blocks;
      double queue = normalised(worker.waitingRequests(), shortest, longest);
      double running = normalised(worker.runningRequests(), smallest, largest);
      double kv = 1 - (double) worker.usedBlocks() / worker.totalBlocks();
      costs[i] =
          -(prefixWeight * prefix + queueWeight * queue + kvWeight * kv + runningWeight * running);
    }
    return costs;
  }

  private static double normalised(int value, int least, int greatest) {
    return least == greatest ? 1 : (double) (greatest - value) / (greatest - least);
  }

  @Override
  public void explain(DecisionTerms terms, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      terms
          .put(i, "matched_blocks", Math.min(depths[worker.id()], maxPrefixBlocks))
          .put(i, "waiting_requests", worker.waitingRequests())
          .put(i, "running_requests", worker.runningRequests())
          .put(i, "used_blocks", worker.usedBlocks())
          .put(i, "score", -costs[i])
          .cost(i, costs[i]);
    }
  }

  @Override
  public int believedBlocks(int worker) {
    return depths[worker];
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    beliefs.placed(request, worker);
  }
}
