package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import io.orrery.engine.policy.PolicyParameter;
import java.util.List;

/**
 * The KV router of NVIDIA Dynamo ({@code lib/kv-router/src/scheduling/selector/default.rs}, commit
 * 07a6c9ce) for device caches: takes the worker with the lowest cost in blocks,
 *
 * <pre>
 *   cost    = prefillLoadScale · max(0, prefill − credit) + decode
 *             + decodeActiveRequestWeight · requests in flight
 *   prefill = (tokens still to be prefilled there + prompt tokens) / block size
 *   credit  = overlapScoreCredit · decay · leading prompt blocks believed to be cached there
 *   decode  = distinct prompt blocks of the requests in flight there, with this one
 *   decay   = 1 / (1 + overlapScoreCreditDecay · x), x = (tokens still to be prefilled there − the
 *             fewest on any candidate) in sizes of this prompt
 * </pre>
 *
 * <p>The prefill term holds the prompt's cached tokens too and only the credit takes them off, so a
 * credit above 1 also erases other requests' backlog; the clamp at 0 comes last. Of equal costs one
 * is drawn. With a temperature {@code T} above 0 the worker is drawn instead: {@code p ∝ exp(−(cost
 * − least) / ((greatest − least) · T))}.
 *
 * <p>What a worker has cached is the router's belief; what is in flight is in its own {@link
 * ActiveLoad}.
 */
public final class KvAware implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "kv-aware",
          "Takes the worker with the lowest cost: prefill backlog and prompt, less the prompt's blocks cached there,"
              + " plus the distinct blocks in flight.",
          List.of(
              PolicyParameter.number(
                  "overlapScoreCredit",
                  "1",
                  0,
                  1e6,
                  "Blocks that one cached block takes off the prefill term."),
              PolicyParameter.number(
                  "overlapScoreCreditDecay",
                  "0",
                  0,
                  1e6,
                  "How fast the credit fades with the worker's prefill backlog above the least, in sizes of the"
                      + " prompt."),
              PolicyParameter.number(
                  "prefillLoadScale",
                  "1",
                  0,
                  1e6,
                  "Weight of the prefill term against the decode term."),
              PolicyParameter.number(
                  "decodeActiveRequestWeight",
                  "0",
                  0,
                  1e6,
                  "Blocks that a request in flight counts for, besides its own."),
              PolicyParameter.number(
                  "temperature",
                  "0",
                  0,
                  1e6,
                  "0 takes the lowest cost; above, workers are drawn, more evenly the higher it is."),
              PolicyParameter.flag(
                  "trackActiveBlocks", true, "Whether the decode term counts; if not, it is 0."),
              PolicyParameter.flag(
                  "trackPrefillTokens",
                  true,
                  "Whether the prefill term counts; if not, it is 0 and the credit does nothing.")),
          KvAware::new);

  private final double overlapScoreCredit;
  private final double overlapScoreCreditDecay;
  private final double prefillLoadScale;
  private final double decodeActiveRequestWeight;
  private final double temperature;
  private final boolean trackActiveBlocks;
  private final boolean trackPrefillTokens;
  private final PrefixBeliefs beliefs;
  private final Draws draws;
  private final ActiveLoad load;

  /** By worker: leading blocks of the current request that are believed to be cached there. */
  private final int[] overlaps;

  private final double[] costs;
  private final double[] weights;

  private KvAware(RoutingContext context) {
    overlapScoreCredit = context.number("overlapScoreCredit");
    overlapScoreCreditDecay = context.number("overlapScoreCreditDecay");
    prefillLoadScale = context.number("prefillLoadScale");
    decodeActiveRequestWeight = context.number("decodeActiveRequestWeight");
    temperature = context.number("temperature");
    trackActiveBlocks = context.text("trackActiveBlocks").equals("true");
    trackPrefillTokens = context.text("trackPrefillTokens").equals("true");
    beliefs = context.beliefs();
    draws = context.draws("routing.kv-aware");
    load = new ActiveLoad(context.workers());
    overlaps = new int[context.workers()];
    costs = new double[context.workers()];
    weights = new double[context.workers()];
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    price(request, candidates);
    return temperature == 0
        ? lowest(candidates.size(), request.id())
        : drawn(candidates.size(), draws.uniform(request.id(), 0));
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    load.placed(
        request,
        worker,
        Math.max(0, request.inputTokens() - overlaps[worker] * request.blockSize()));
  }

  @Override
  public void firstToken(RoutedRequest request, int worker) {
    load.firstToken(request, worker);
  }

  @Override
  public void ended(RoutedRequest request, int worker) {
    load.ended(request, worker);
  }

  /** Computes and returns the cost of every candidate, in blocks. */
  double[] price(RoutedRequest request, Candidates candidates) {
    beliefs.depths(request, overlaps);
    long leastPrefill = Long.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      leastPrefill = Math.min(leastPrefill, load.prefillTokens(candidates.get(i).id()));
    }
    for (int i = 0; i < candidates.size(); i++) {
      costs[i] = cost(request, candidates.get(i), leastPrefill);
    }
    return costs;
  }

  private double cost(RoutedRequest request, WorkerView worker, long leastPrefill) {
    int id = worker.id();
    double prefill = 0;
    if (trackPrefillTokens) {
      double blockSize = request.blockSize();
      long backlog = load.prefillTokens(id);
      double decay = 1;
      if (overlapScoreCreditDecay > 0) {
        double excess = (backlog - leastPrefill) / blockSize / request.promptBlocks();
        decay = 1 / (1 + overlapScoreCreditDecay * excess);
      }
      double credit = overlapScoreCredit * decay * overlaps[id];
      prefill = Math.max(0, (backlog + request.inputTokens()) / blockSize - credit);
    }
    double decode = trackActiveBlocks ? load.blocksWith(request, id) : 0;
    return prefillLoadScale * prefill
        + decode
        + decodeActiveRequestWeight * worker.requestsInFlight();
  }

  /** The k-th of equal costs replaces the one held with probability 1/k (reservoir sampling). */
  private int lowest(int size, int request) {
    int choice = 0;
    int ties = 1;
    for (int i = 1; i < size; i++) {
      if (costs[i] < costs[choice]) {
        choice = i;
        ties = 1;
      } else if (costs[i] == costs[choice] && draws.below(++ties, request, ties) == 0) {
        choice = i;
      }
    }
    return choice;
  }

  /** The first candidate whose cumulated probability reaches {@code draw}. */
  private int drawn(int size, double draw) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      least = Math.min(least, costs[i]);
      greatest = Math.max(greatest, costs[i]);
    }
    double scale = least == greatest ? 0 : -1 / ((greatest - least) * temperature);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      weights[i] = StrictMath.exp((costs[i] - least) * scale);
      sum += weights[i];
    }
    double cumulated = 0;
    for (int i = 0; i < size - 1; i++) {
      cumulated += weights[i] / sum;
      if (draw <= cumulated) {
        return i;
      }
    }
    return size - 1;
  }
}
