package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Apart;
import io.orrery.scenarios.schema.SchemaNode.ItemList;
import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Section;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Value;
import java.util.List;

/**
 * Every key of a scenario, declared once: the short sections here, each long one in a class of its
 * own, such as {@link EngineKeys}. The order here is the order of {@code defaults.yaml}, of the
 * reference page and of every effective configuration.
 */
public final class ScenarioSchema {
  /** The name of a list's item that has none of its own. */
  public static final String DEFAULT_ITEM_NAME = "main";

  /** Most KV cache blocks of a worker: a block takes 32 bytes here, and an array has 2^31 - 1. */
  public static final int MOST_BLOCKS = 1 << 27;

  /** The key that chooses what {@code routing}'s parameters mean. */
  public static final KeyPath ROUTING_POLICY = KeyPath.ROOT.child("routing").child("policy");

  /** The key that chooses what {@code admission}'s parameters mean. */
  public static final KeyPath ADMISSION_POLICY = KeyPath.ROOT.child("admission").child("policy");

  private static final Section CLUSTER =
      Section.of(
          "cluster",
          "The workers.",
          new ItemList(
              "pools",
              "The pools; without a list there is one pool with every default.",
              PoolKeys.POOL));

  private static final Section CACHE =
      Section.of(
          "cache",
          "What the KV cache may assume.",
          Key.of(
              "completionReuse",
              ValueType.probability("verbatim", "none"),
              "verbatim",
              "Whether a turn's output comes back unchanged in the next prompt: always, never, or with this probability."),
          Key.of(
              "reference",
              ValueType.choice("none", "infinite-cache"),
              "none",
              "infinite-cache: nothing is ever evicted and KV memory holds nobody up. A reference to compare with, not a"
                  + " cluster that exists, and no bound: batches and closed loops go another way."));

  private static final Section SLO =
      Section.of(
          "slo",
          "What users were promised; goodput counts the requests that got it.",
          Key.of("ttft", ValueType.duration(false), "2 s", "Longest time to first token."),
          Key.of(
              "tokensPerSecondPerUser",
              ValueType.rate("tokens/s", ValueType.MANY),
              "50",
              "Least output tokens per second of a request, after its first."));

  private static final Section COST =
      Section.of(
          "cost",
          "What GPUs cost and draw, busy or not.",
          Key.of(
              "price",
              ValueType.choice("rental", "neocloud", "hyperscaler"),
              "rental",
              "Which of the catalogue's prices holds: three years' rental, or what an hour costs a provider to offer."),
          Key.of(
              "dollarsPerGpuHour",
              ValueType.numberOr("auto", ValueType.MANY),
              "auto",
              "Price of an hour of any GPU of the cluster; auto is the catalogue's, and none where it knows none."),
          Key.of(
              "wattsPerGpu",
              ValueType.numberOr("auto", ValueType.MANY),
              "auto",
              "Power of a GPU; auto is the catalogue's, the data centre's share included where that is known."));

  private static final Section LIMITS =
      Section.of(
          "limits",
          "When to stop early.",
          Key.of(
              "simulatedTime",
              ValueType.durationOr("none"),
              "none",
              "Simulated time after which the run ends; what is unfinished then is counted as such."));

  private static final Apart VARIANTS =
      new Apart(
          "variants",
          "[{name: NAME, set: {PATH: VALUE}}]",
          "Runs to set side by side, each a name and the keys it sets (set: a mapping of dotted paths to values).");

  private static final Apart SWEEP =
      new Apart(
          "sweep",
          "{grid: {PATH: [VALUE]}, zip: {PATH: [VALUE]}, list: [{name: NAME, set: {PATH: VALUE}}], random: {points: N, keys: {PATH: {from: A, to: B}}}, seeds: N}",
          "What orrery sweep goes through: every value of a grid with every other, keys that change together (zip), points written"
              + " out (list), points drawn at random, each with every one of the others, every variant and every seed.");

  private static final Apart PLAN =
      new Apart(
          "plan",
          "{find: concurrency, slo: {ttftP95: 2 s, tokensPerSecondPerUser: 50, sessionCompletionP95: 20 min}, candidates: {grid: {PATH: [VALUE]}}, sizes: {from: A, to: B}, tolerance: 0.1, seeds: 2, window: 30 min}",
          "What orrery plan looks for among candidates (written as a sweep; else the variants): the most sessions per GPU"
              + " (concurrency), or the fewest GPUs (gpus), the least price (usd) or power (kwh) for the load, within an SLO.");

  private static final Section ROOT =
      Section.of(
          "",
          "A scenario.",
          TraceKeys.TRACE,
          CLUSTER,
          EngineKeys.ENGINE,
          CACHE,
          StepTimeKeys.STEP_TIME,
          PolicyKeys.ROUTING,
          PolicyKeys.ADMISSION,
          SLO,
          COST,
          Key.of(
              "seed",
              ValueType.whole(0, Long.MAX_VALUE),
              "1",
              "Seed of everything that is drawn; variants with equal seeds face the same luck."),
          LIMITS,
          VARIANTS,
          SWEEP,
          PLAN);

  private ScenarioSchema() {}

  /** The keys that choose policies. */
  public static List<KeyPath> policies() {
    return List.of(ADMISSION_POLICY, ROUTING_POLICY);
  }

  /** Whether a path is a declared key of a policy's section, not a parameter of the policy. */
  public static boolean isDeclaredBeside(KeyPath policy, KeyPath path) {
    Section section = policy.equals(ROUTING_POLICY) ? PolicyKeys.ROUTING : PolicyKeys.ADMISSION;
    return path.startsWith(policy.first(1))
        && path.steps().size() > 1
        && section.child(path.steps().get(1)).isPresent();
  }

  /** The document. */
  public static Section root() {
    return ROOT;
  }

  /** Whether a key outside lists has this value where nobody writes it. */
  public static boolean isDefault(KeyPath path, Value value) {
    SchemaNode node = ROOT;
    for (String step : path.steps()) {
      if (!(node instanceof Section section) || section.child(step).isEmpty()) {
        return false;
      }
      node = section.child(step).get();
    }
    return node instanceof Key key
        && key.absence() == SchemaNode.Absence.DEFAULT
        && key.defaultValue().equals(value);
  }
}
