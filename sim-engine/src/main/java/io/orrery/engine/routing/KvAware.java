package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import io.orrery.engine.policy.PolicyParameter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The KV router of NVIDIA Dynamo ({@code lib/kv-router/src/scheduling/selector/default.rs}, commit
 * 07a6c9ce): takes the worker with the lowest cost in blocks,
 *
 * <pre>
 *   cost    = prefillLoadScale · max(0, prefill − credit) + decode
 *             + decodeActiveRequestWeight · requests in flight
 *   prefill = (tokens still to be prefilled there + prompt tokens) / block size
 *   credit  = overlapScoreCredit · decay · device + hostCacheHitWeight · host
 *             + diskCacheHitWeight · disk + sharedCacheMultiplier · shared
 *   decode  = distinct prompt blocks of the requests in flight there, with this one
 *   decay   = 1 / (1 + overlapScoreCreditDecay · x), x = (tokens still to be prefilled there − the
 *             fewest on any candidate) in sizes of this prompt
 * </pre>
 *
 * <p>{@code device} are leading prompt blocks believed to be cached there, {@code host} and {@code
 * disk} those that continue them in slower tiers, {@code shared} those beyond {@code device} that
 * the shared pool holds. The prefill term holds the prompt's cached tokens too and only the credit
 * takes them off, so a credit above 1 also erases other requests' backlog; the clamp at 0 comes
 * last. With {@code selection: lmetric} the cost is {@code max(0, prefill − credit) · (decode +
 * 1)}. A decode worker without prefill tracking costs {@code max(0, decode − credit)} and the
 * active requests. Preferences of placement rules multiply the cost by exp(−tanh(their sum)). Of
 * equal costs one is drawn. With a temperature above 0 the worker is drawn instead, see {@link
 * Costs#drawn}.
 *
 * <p>What a worker has cached is the router's belief, see {@link KvBeliefs}; what is in flight is
 * in its ledger, see {@link ActiveLoad}, where the tokens of device, host and disk hits, weighted
 * alike, do not count as prefill.
 */
public final class KvAware implements RoutingPolicy {
  private static final List<PolicyParameter> PARAMETERS =
      KvBeliefs.with(
          List.of(
              weight(
                  "overlapScoreCredit",
                  "1",
                  "Blocks that one block cached on the device takes off the prefill term."),
              weight(
                  "overlapScoreCreditDecay",
                  "0",
                  "How fast the credit fades with the worker's prefill backlog above the least, in sizes of the"
                      + " prompt."),
              weight(
                  "hostCacheHitWeight", "0.75", "Credit of a block in the worker's host memory."),
              weight("diskCacheHitWeight", "0.25", "Credit of a block on the worker's disk."),
              weight(
                  "sharedCacheMultiplier",
                  "0",
                  "Credit of a block in the shared pool, beyond the device's prefix."),
              weight(
                  "prefillLoadScale", "1", "Weight of the prefill term against the decode term."),
              weight(
                  "decodeActiveRequestWeight",
                  "0",
                  "Blocks that a request in flight counts for, besides its own."),
              weight(
                  "temperature",
                  "0",
                  "0 takes the lowest cost; above, workers are drawn, more evenly the higher it is."),
              PolicyParameter.choice(
                  "selection",
                  "cost",
                  List.of("cost", "lmetric"),
                  "What is least: the cost, or the prefill less its credit times the decode blocks and one."),
              PolicyParameter.choice(
                  "ties",
                  "drawn",
                  List.of("drawn", "first"),
                  "Which of equal costs is taken: any, drawn evenly, or that of the lowest worker."),
              PolicyParameter.flag(
                  "trackActiveBlocks", true, "Whether the decode term counts; if not, it is 0."),
              PolicyParameter.flag(
                  "trackPrefillTokens",
                  true,
                  "Whether the prefill term counts; if not, it is 0 and the credit does nothing."),
              PolicyParameter.flag(
                  "assumeKvReuse",
                  true,
                  "Whether a block that several requests in flight have in common counts once; if not, once for each."),
              PolicyParameter.choice(
                  "stage",
                  "aggregated",
                  List.of("aggregated", "decode"),
                  "What the workers do; decode takes the credit off the decode term where prefill is not tracked.")));

  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "kv-aware",
          "Takes the worker with the lowest cost, in blocks: prefill backlog and prompt, less the prompt's blocks cached"
              + " there, plus the distinct blocks in flight.",
          PARAMETERS,
          KvAware::new);

  static final RoutingPolicyFactory APPROXIMATE =
      preset(
          "approximate",
          "kv-aware without block events: believes that a prompt's blocks are where it placed them, for two minutes.",
          "index",
          "approximate");

  static final RoutingPolicyFactory PREDICTED =
      preset(
          "predicted",
          "kv-aware that counts a placed prompt's blocks as cached before their events come, for five seconds.",
          "predictedTtl",
          "5 s");

  static final RoutingPolicyFactory DYNAMO_2026_07 =
      preset(
          "dynamo-2026-07",
          "NVIDIA Dynamo's KV router with its defaults of July 2026 (KvRouterConfig::default).");

  static final RoutingPolicyFactory DYNAMO_LOAD_AWARE_2026_07 =
      preset(
          "dynamo-load-aware-2026-07",
          "Dynamo's --load-aware: no credit for cached blocks, no events, no block counts as shared.",
          "overlapScoreCredit",
          "0",
          "index",
          "approximate",
          "assumeKvReuse",
          "false");

  static final RoutingPolicyFactory DYNAMO_AGENTIC_2026_07 =
      preset(
          "dynamo-agentic-2026-07",
          "Dynamo's experimental weights for agents (2, 4, 64): credit, prefill scale, weight of a request in flight.",
          "overlapScoreCredit",
          "2",
          "prefillLoadScale",
          "4",
          "decodeActiveRequestWeight",
          "64");

  static final RoutingPolicyFactory DYNAMO_LMETRIC_2026_07 =
      preset(
          "dynamo-lmetric-2026-07",
          "Dynamo's KV router with router_selection_policy = lmetric: uncached prefill times decode blocks and one.",
          "selection",
          "lmetric");

  private final double overlapScoreCredit;
  private final double overlapScoreCreditDecay;
  private final double hostWeight;
  private final double diskWeight;
  private final double sharedMultiplier;
  private final double prefillLoadScale;
  private final double decodeActiveRequestWeight;
  private final double temperature;
  private final boolean lmetric;
  private final boolean drawTies;
  private final boolean trackActiveBlocks;
  private final boolean trackPrefillTokens;
  private final boolean assumeKvReuse;
  private final boolean decodeStage;
  private final KvBeliefs beliefs;
  private final Draws draws;
  private final LoadLedger load;

  /** By worker: prompt blocks of the current request that are believed to be cached there. */
  private final int[] device;

  private final int[] host;
  private final int[] disk;
  private final int[] before;

  /** By candidate. */
  private final double[] prefills;

  private final int[] shareds;
  private final double[] credits;
  private final double[] decodes;
  private final double[] costs;
  private final double[] weights;

  private KvAware(RoutingContext context) {
    overlapScoreCredit = context.number("overlapScoreCredit");
    overlapScoreCreditDecay = context.number("overlapScoreCreditDecay");
    hostWeight = context.number("hostCacheHitWeight");
    diskWeight = context.number("diskCacheHitWeight");
    sharedMultiplier = context.number("sharedCacheMultiplier");
    prefillLoadScale = context.number("prefillLoadScale");
    decodeActiveRequestWeight = context.number("decodeActiveRequestWeight");
    temperature = context.number("temperature");
    lmetric = context.text("selection").equals("lmetric");
    drawTies = context.text("ties").equals("drawn");
    trackActiveBlocks = context.text("trackActiveBlocks").equals("true");
    trackPrefillTokens = context.text("trackPrefillTokens").equals("true");
    assumeKvReuse = context.text("assumeKvReuse").equals("true");
    decodeStage = context.text("stage").equals("decode");
    beliefs = new KvBeliefs(context);
    draws = context.draws("routing.kv-aware");
    load = context.load();
    int workers = context.workers();
    device = new int[workers];
    host = new int[workers];
    disk = new int[workers];
    before = new int[workers];
    prefills = new double[workers];
    shareds = new int[workers];
    credits = new double[workers];
    decodes = new double[workers];
    costs = new double[workers];
    weights = new double[workers];
  }

  private static PolicyParameter weight(String name, String value, String summary) {
    return PolicyParameter.number(name, value, 0, 1e6, summary);
  }

  /** The same policy under another name and with other defaults. */
  private static RoutingPolicyFactory preset(
      String name, String summary, String... namesAndDefaults) {
    return new NamedPolicy(
        name, summary, PolicyParameter.withDefaults(PARAMETERS, namesAndDefaults), KvAware::new);
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    price(request, candidates);
    int size = candidates.size();
    if (temperature > 0) {
      return Costs.drawn(costs, size, temperature, draws.uniform(request.id(), 0), weights);
    }
    return drawTies
        ? Costs.lowest(costs, size, draws, request.id())
        : Costs.firstLowest(costs, size);
  }

  @Override
  public void explain(DecisionTerms terms, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      int id = candidates.get(i).id();
      terms
          .put(i, "device_blocks", device[id])
          .put(i, "host_blocks", host[id])
          .put(i, "disk_blocks", disk[id])
          .put(i, "shared_blocks", shareds[i])
          .put(i, "credit_blocks", credits[i])
          .put(i, "prefill_blocks", prefills[i])
          .put(i, "decode_blocks", decodes[i])
          .put(i, "requests_in_flight", candidates.get(i).requestsInFlight())
          .cost(i, costs[i]);
    }
  }

  @Override
  public int believedBlocks(int worker) {
    return device[worker] + host[worker] + disk[worker];
  }

  @Override
  public int cachedTokens(RoutedRequest request, int worker) {
    double blocks = device[worker] + hostWeight * host[worker] + diskWeight * disk[worker];
    return (int) Math.min(request.inputTokens(), Math.round(request.blockSize() * blocks));
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    beliefs.placed(request, worker);
  }

  /** Computes and returns the cost of every candidate, in blocks. */
  double[] price(RoutedRequest request, Candidates candidates) {
    beliefs.see(candidates);
    beliefs.depths(request, device);
    PrefixBeliefs tiers = beliefs.tiers();
    if (tiers != null) {
      tiers.hostDepths(request, device, host);
      for (int w = 0; w < device.length; w++) {
        before[w] = device[w] + host[w];
      }
      tiers.diskDepths(request, before, disk);
    }
    long leastPrefill = overlapScoreCreditDecay > 0 ? leastPrefill(candidates) : 0;
    int size = candidates.size();
    for (int i = 0; i < size; i++) {
      price(request, candidates, i, leastPrefill, tiers);
    }
    return costs;
  }

  private long leastPrefill(Candidates candidates) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      least = Math.min(least, load.prefillTokens(candidates.get(i).id()));
    }
    return least;
  }

  private void price(
      RoutedRequest request,
      Candidates candidates,
      int i,
      long leastPrefill,
      @Nullable PrefixBeliefs tiers) {
    WorkerView worker = candidates.get(i);
    int id = worker.id();
    double blockSize = request.blockSize();
    long backlog = load.prefillTokens(id);
    double decay = 1;
    if (trackPrefillTokens && overlapScoreCreditDecay > 0) {
      double excess = (backlog - leastPrefill) / blockSize / request.promptBlocks();
      decay = 1 / (1 + overlapScoreCreditDecay * excess);
    }
    double credit = overlapScoreCredit * decay * device[id];
    if (tiers != null) {
      credit = credit + hostWeight * host[id] + diskWeight * disk[id];
      shareds[i] = sharedMultiplier > 0 ? tiers.sharedFrom(request, device[id]) : 0;
      credit += sharedMultiplier * shareds[i];
    }
    double prefill = trackPrefillTokens ? (backlog + request.inputTokens()) / blockSize : 0;
    double decode = 0;
    if (trackActiveBlocks) {
      decode =
          assumeKvReuse ? load.blocksWith(request, id) : load.allBlocks(id) + request.fullBlocks();
    }
    prefills[i] = prefill;
    credits[i] = credit;
    decodes[i] = decode;
    double uncached = Math.max(0, prefill - credit);
    double cost;
    if (lmetric) {
      cost = uncached * (decode + 1);
    } else {
      boolean creditOnDecode = decodeStage && !trackPrefillTokens && overlapScoreCredit > 0;
      cost = creditOnDecode ? Math.max(0, decode - credit) : prefillLoadScale * uncached + decode;
      if (decodeActiveRequestWeight > 0) {
        cost += decodeActiveRequestWeight * worker.requestsInFlight();
      }
    }
    double preference = candidates.preference(i);
    costs[i] = preference == 0 ? cost : cost * StrictMath.exp(-StrictMath.tanh(preference));
  }
}
