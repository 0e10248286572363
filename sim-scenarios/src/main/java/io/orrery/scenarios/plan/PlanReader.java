package io.orrery.scenarios.plan;

import io.orrery.scenarios.ScenarioLayers;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.plan.Plan.Find;
import io.orrery.scenarios.spec.SloSpec;
import io.orrery.scenarios.sweep.Factor;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepReader;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Quantity;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a plan; everything may be left out:
 *
 * <pre>
 * plan:
 *   find: concurrency              # or gpus, usd, kwh
 *   slo: {ttftP95: 2 s, tokensPerSecondPerUser: 50, sessionCompletionP95: 20 min}
 *   candidates: {grid: {routing.policy: [least-loaded, kv-aware]}}   # as a sweep; else the variants
 *   sizes: {from: 1, to: 1000}     # sessions alive at once, or workers
 *   tolerance: 0.1
 *   seeds: 2
 *   window: 30 min
 * </pre>
 */
public final class PlanReader {
  private static final String KEYS =
      "one of find, slo, candidates, sizes, tolerance, seeds, window";
  private static final Pattern POOL_WORKERS =
      Pattern.compile("cluster\\.pools\\[[^\\]]+]\\.workers");
  private static final Set<String> SET_FOR_SESSIONS =
      Set.of(
          "trace.dispatch",
          "trace.lanes.count",
          "trace.lanes.recycle",
          "trace.lanes.limit",
          "limits.simulatedTime");
  private static final long MOST = 1_000_000;
  private static final long HALF_AN_HOUR = 1_800_000_000_000L;

  private final ScenarioLayers scenario;
  private final Problems problems = new Problems();
  private Find find = Find.CONCURRENCY;
  private double ttftMillis;
  private double tokensPerSecond;
  private OptionalDouble sessionSeconds = OptionalDouble.empty();
  private long from = 1;
  private OptionalLong to = OptionalLong.empty();
  private double tolerance = 0.1;
  private long seeds = 2;
  private long window = HALF_AN_HOUR;

  private PlanReader(ScenarioLayers scenario) {
    this.scenario = scenario;
  }

  /**
   * The plan of a scenario; without a {@code plan:} section, one of its variants under its {@code
   * slo}.
   *
   * @param instead what to look for instead of what the scenario says, null for nothing
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Plan read(ScenarioLayers scenario, @Nullable Find instead) {
    return new PlanReader(scenario).plan(instead);
  }

  private Plan plan(@Nullable Find instead) {
    String variant = scenario.variantNames().get(0);
    Variant first = scenario.variant(variant, variant, List.of());
    SloSpec slo = first.spec().slo();
    ttftMillis = slo.ttftNanos() / 1e6;
    tokensPerSecond = slo.tokensPerSecondPerUser();
    YamlNode section = scenario.section("plan").orElse(null);
    Sweep candidates = SweepReader.variants(scenario);
    YamlNode windowNode = section;
    YamlNode candidatesNode = null;
    if (section != null) {
      for (YamlNode.Entry entry : entries(section, "plan", "a mapping with " + KEYS)) {
        YamlNode value = entry.value();
        switch (entry.key().text()) {
          case "find" -> find = find(value);
          case "slo" -> slo(value);
          case "candidates" -> {
            candidates = SweepReader.read(scenario, value, "plan.candidates");
            candidatesNode = value;
          }
          case "sizes" -> sizes(value);
          case "tolerance" -> tolerance = number(value, "plan.tolerance", 1);
          case "seeds" -> seeds = whole(value, "plan.seeds", 1000);
          case "window" -> {
            window = duration(value, "plan.window");
            windowNode = value;
          }
          default ->
              problems.add(
                  entry.key().position(), "plan." + entry.key().text(), "an unknown key", KEYS);
        }
      }
    }
    if (windowNode != null
        && sessionSeconds.isPresent()
        && window < 3 * sessionSeconds.getAsDouble() * 1e9) {
      problems.add(
          windowNode.position(),
          "plan.window",
          Quantity.DURATION.format(window),
          "at least three times slo.sessionCompletionP95, or long sessions never end in it");
    }
    Find asked = instead == null ? find : instead;
    requireFree(candidates, asked, candidatesNode);
    if (asked.ofWorkers() && first.spec().pools().size() > 1) {
      problems.add(
          scenario.document(),
          "plan.find",
          asked.key() + " with " + first.spec().pools().size() + " pools",
          "concurrency, or one pool whose workers can be counted");
    }
    problems.throwIfAny();
    List<Long> repetitions = new ArrayList<>();
    for (long i = 0; i < seeds; i++) {
      repetitions.add(first.spec().seed() + i);
    }
    long most = to.orElse(asked.ofWorkers() ? 1024 : 65_536);
    PlanSlo goal = new PlanSlo(ttftMillis, tokensPerSecond, sessionSeconds);
    return new Plan(scenario, candidates, asked, goal, from, most, tolerance, repetitions, window);
  }

  /** What a plan sets in every trial cannot tell candidates apart. */
  private void requireFree(Sweep candidates, Find asked, @Nullable YamlNode node) {
    if (node == null) {
      return;
    }
    for (KeyPath key : candidates.keys()) {
      String path = key.text();
      String instead = "";
      if (path.equals(Factor.SEED)) {
        instead = "plan.seeds";
      } else if (asked.ofWorkers() && POOL_WORKERS.matcher(path).matches()) {
        instead = "plan.sizes, or find: concurrency";
      } else if (!asked.ofWorkers() && SET_FOR_SESSIONS.contains(path)) {
        instead = "other keys, since the plan sets this one in every trial";
      }
      if (!instead.isEmpty()) {
        problems.add(node.position(), "plan.candidates", path, instead);
      }
    }
  }

  private List<YamlNode.Entry> entries(YamlNode node, String path, String expected) {
    if (node instanceof YamlNode.Mapping mapping) {
      return mapping.entries();
    }
    problems.add(node.position(), path, node.found(), expected);
    return List.of();
  }

  private Find find(YamlNode node) {
    for (Find known : Find.values()) {
      if (node instanceof YamlNode.Scalar scalar && scalar.text().equals(known.key())) {
        return known;
      }
    }
    problems.add(node.position(), "plan.find", node.found(), "one of " + findKeys());
    return Find.CONCURRENCY;
  }

  /** What can be looked for. */
  public static String findKeys() {
    return Arrays.stream(Find.values()).map(Find::key).collect(Collectors.joining(", "));
  }

  private void slo(YamlNode node) {
    String keys = "ttftP95, tokensPerSecondPerUser, sessionCompletionP95";
    for (YamlNode.Entry entry : entries(node, "plan.slo", "a mapping with " + keys)) {
      String path = "plan.slo." + entry.key().text();
      switch (entry.key().text()) {
        case "ttftP95" -> ttftMillis = duration(entry.value(), path) / 1e6;
        case "tokensPerSecondPerUser" -> tokensPerSecond = number(entry.value(), path, 1e9);
        case "sessionCompletionP95" ->
            sessionSeconds = OptionalDouble.of(duration(entry.value(), path) / 1e9);
        default -> problems.add(entry.key().position(), path, "an unknown key", "one of " + keys);
      }
    }
  }

  private void sizes(YamlNode node) {
    for (YamlNode.Entry entry : entries(node, "plan.sizes", "a mapping with from and to")) {
      String path = "plan.sizes." + entry.key().text();
      switch (entry.key().text()) {
        case "from" -> from = whole(entry.value(), path, MOST);
        case "to" -> to = OptionalLong.of(whole(entry.value(), path, MOST));
        default -> problems.add(entry.key().position(), path, "an unknown key", "from or to");
      }
    }
    if (to.isPresent() && to.getAsLong() < from) {
      problems.add(
          node.position(), "plan.sizes.to", Long.toString(to.getAsLong()), "at least " + from);
    }
  }

  private long whole(YamlNode node, String path, long most) {
    OptionalLong number =
        node instanceof YamlNode.Scalar scalar
            ? Value.Whole.parse(scalar.text())
                .map(value -> OptionalLong.of(value.number()))
                .orElse(OptionalLong.empty())
            : OptionalLong.empty();
    if (number.isEmpty() || number.getAsLong() < 1 || number.getAsLong() > most) {
      problems.add(node.position(), path, node.found(), "a whole number from 1 to " + most);
      return 1;
    }
    return number.getAsLong();
  }

  private double number(YamlNode node, String path, double most) {
    double number =
        node instanceof YamlNode.Scalar scalar
            ? Value.Decimal.parse(scalar.text()).map(v -> v.number().doubleValue()).orElse(0.0)
            : 0;
    if (!(number > 0 && number <= most)) {
      problems.add(
          node.position(), path, node.found(), "a number above 0 and up to " + (long) most);
      return 1;
    }
    return number;
  }

  private long duration(YamlNode node, String path) {
    OptionalLong nanos =
        node instanceof YamlNode.Scalar scalar
            ? Quantity.DURATION.parse(scalar.text())
            : OptionalLong.empty();
    if (nanos.isEmpty() || nanos.getAsLong() <= 0) {
      problems.add(node.position(), path, node.found(), Quantity.DURATION.expected() + ", above 0");
      return 1;
    }
    return nanos.getAsLong();
  }
}
