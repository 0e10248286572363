package io.orrery.scenarios.sweep;

import io.orrery.scenarios.ScenarioLayers;
import io.orrery.scenarios.ScenarioLayers.Layer;
import io.orrery.scenarios.WrittenKeys;
import io.orrery.scenarios.WrittenValues;
import io.orrery.scenarios.sweep.Dimension.Option;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads what a sweep goes through:
 *
 * <pre>
 * sweep:
 *   grid:                                     # every value with every other
 *     routing.policy: [least-loaded, kv-aware]
 *     trace.lanes.count: [80, 160]
 *   zip:                                      # keys that change together
 *     cluster.pools[0].workers: [4, 8]
 *     cluster.pools[0].tensorParallel: [4, 2]
 *   list:                                     # points written out
 *     - {name: plain, set: {}}
 *     - {name: delayed, set: {routing.indexDelay: 10 ms}}
 *   random:                                   # points drawn
 *     points: 20
 *     seed: 7
 *     keys:
 *       routing.temperature: {from: 0, to: 1}
 *   seeds: 3
 * </pre>
 */
public final class SweepReader {
  private static final String KEYS = "one of grid, zip, list, random, seeds";

  private final ScenarioLayers scenario;
  private final String where;
  private final Problems problems = new Problems();
  private final List<Dimension> dimensions = new ArrayList<>();

  private SweepReader(ScenarioLayers scenario, String where) {
    this.scenario = scenario;
    this.where = where;
  }

  /**
   * The sweep of a scenario.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Sweep read(ScenarioLayers scenario) {
    YamlNode node =
        scenario
            .section("sweep")
            .orElseThrow(
                () ->
                    new ScenarioException(
                        scenario.document(), "sweep", "nothing", "what to go through: " + KEYS));
    return read(scenario, node, "sweep");
  }

  /**
   * A sweep that is written somewhere in a scenario.
   *
   * @param where the path of {@code node}
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Sweep read(ScenarioLayers scenario, YamlNode node, String where) {
    SweepReader reader = new SweepReader(scenario, where);
    reader.document(node);
    reader.problems.throwIfAny();
    return new Sweep(scenario, reader.dimensions);
  }

  /** The scenario's variants, nothing changed. */
  public static Sweep variants(ScenarioLayers scenario) {
    return new Sweep(scenario, List.of());
  }

  private void document(YamlNode node) {
    Map<String, YamlNode> written = new LinkedHashMap<>();
    for (YamlNode.Entry entry : mapping(node, where, "a mapping with " + KEYS)) {
      String key = entry.key().text();
      if (Set.of("grid", "zip", "list", "random", "seeds").contains(key)) {
        written.put(key, entry.value());
      } else {
        problems.add(entry.key().position(), where + "." + key, "an unknown key", KEYS);
      }
    }
    Optional.ofNullable(written.get("grid")).ifPresent(this::grid);
    Optional.ofNullable(written.get("zip")).ifPresent(this::zip);
    Optional.ofNullable(written.get("list")).ifPresent(this::list);
    Optional.ofNullable(written.get("random")).ifPresent(this::random);
    Optional.ofNullable(written.get("seeds")).ifPresent(this::seeds);
    requireOneSetterForEachKey(node);
    BigInteger points = BigInteger.valueOf(scenario.variantNames().size());
    for (Dimension dimension : dimensions) {
      points = points.multiply(BigInteger.valueOf(dimension.options().size()));
    }
    if (points.compareTo(BigInteger.valueOf(Sweep.MOST_POINTS)) > 0) {
      problems.add(node.position(), where, points + " points", "at most " + Sweep.MOST_POINTS);
    }
  }

  /** Two dimensions that set one key would overwrite one another. */
  private void requireOneSetterForEachKey(YamlNode node) {
    WrittenKeys seen = WrittenKeys.NONE;
    for (Dimension dimension : dimensions) {
      WrittenKeys written = dimension.written();
      for (KeyPath path : written.clashes(seen)) {
        problems.add(node.position(), where, path.text() + " in two places", "each key in one");
      }
      seen = seen.and(written);
    }
  }

  private List<YamlNode.Entry> mapping(YamlNode node, String path, String expected) {
    if (node instanceof YamlNode.Mapping mapping && !mapping.entries().isEmpty()) {
      return mapping.entries();
    }
    problems.add(node.position(), path, node.found(), expected);
    return List.of();
  }

  private void grid(YamlNode node) {
    String path = where + ".grid";
    for (YamlNode.Entry entry :
        mapping(node, path, "a mapping of dotted paths to lists of values")) {
      List<Option> options = new ArrayList<>();
      for (YamlNode value : values(entry.value(), path + "." + entry.key().text())) {
        options.add(option("", 0, List.of(new YamlNode.Entry(entry.key(), value))));
      }
      add(options);
      requireDifferent(entry.value(), path + "." + entry.key().text(), options);
    }
  }

  private void add(List<Option> options) {
    if (!options.isEmpty()) {
      dimensions.add(new Dimension(options));
    }
  }

  /**
   * Two options that set the same would be one point, run twice under two names.
   *
   * @param node the list that they are written in
   */
  private void requireDifferent(YamlNode node, String path, List<Option> options) {
    Map<WrittenValues, Option> seen = new HashMap<>();
    for (int i = 0; i < options.size(); i++) {
      Option option = options.get(i);
      Option same = seen.putIfAbsent(option.layer().values(), option);
      // What cannot be read writes nothing, and was named.
      boolean read = !option.layer().written().equals(WrittenKeys.NONE);
      if (same != null && (read || option.set().isEmpty())) {
        boolean twice = same.set().equals(option.set()) && same.name().equals(option.name());
        problems.add(
            node instanceof YamlNode.Sequence list
                ? list.items().get(i).position()
                : node.position(),
            path,
            label(option) + (twice ? " a second time" : ", which sets the same as " + label(same)),
            "each once");
      }
    }
  }

  private static String label(Option option) {
    if (!option.name().isEmpty()) {
      return option.name();
    }
    return option.set().size() == 1
        ? option.set().values().iterator().next()
        : option.set().toString();
  }

  private List<YamlNode> values(YamlNode node, String path) {
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      problems.add(node.position(), path, node.found(), "a list of at least one value");
      return List.of();
    }
    return sequence.items();
  }

  private Option option(String name, int number, List<YamlNode.Entry> entries) {
    Layer layer = scenario.layer(entries, problems);
    Map<String, String> set = new LinkedHashMap<>();
    entries.forEach(entry -> set.put(entry.key().text(), text(entry.value())));
    return new Option(name, number, set, layer);
  }

  private void zip(YamlNode node) {
    String path = where + ".zip";
    List<YamlNode.Entry> keys =
        mapping(node, path, "a mapping of dotted paths to lists of equal length");
    List<List<YamlNode>> columns = new ArrayList<>();
    for (YamlNode.Entry entry : keys) {
      // A value may come twice beside different ones of the other keys.
      if (entry.value() instanceof YamlNode.Sequence list && !list.items().isEmpty()) {
        columns.add(list.items());
      } else {
        columns.add(values(entry.value(), path + "." + entry.key().text()));
      }
    }
    int rows = columns.isEmpty() ? 0 : columns.get(0).size();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).size() != rows) {
        problems.add(
            keys.get(i).value().position(),
            path + "." + keys.get(i).key().text(),
            columns.get(i).size() + " values",
            rows + ", as many as " + keys.get(0).key().text() + " has");
        return;
      }
    }
    List<Option> options = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      List<YamlNode.Entry> set = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        set.add(new YamlNode.Entry(keys.get(i).key(), columns.get(i).get(row)));
      }
      options.add(option("", 0, set));
    }
    add(options);
    requireDifferent(keys.get(0).value(), path, options);
  }

  private void list(YamlNode node) {
    String path = where + ".list";
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      problems.add(node.position(), path, node.found(), "a list of mappings with name and set");
      return;
    }
    List<Option> options = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < sequence.items().size(); i++) {
      String at = path + "[" + i + "]";
      YamlNode name = null;
      List<YamlNode.Entry> set = List.of();
      for (YamlNode.Entry entry :
          mapping(sequence.items().get(i), at, "a mapping with name, set")) {
        switch (entry.key().text()) {
          case "name" -> name = entry.value();
          case "set" -> set = set(entry.value(), at + ".set");
          default ->
              problems.add(
                  entry.key().position(),
                  at + "." + entry.key().text(),
                  "an unknown key",
                  "one of name, set");
        }
      }
      String text = name instanceof YamlNode.Scalar scalar ? scalar.text().strip() : "";
      if (text.isEmpty() || !names.add(text)) {
        YamlNode blamed = name == null ? sequence.items().get(i) : name;
        problems.add(
            blamed.position(),
            at + ".name",
            name == null ? "nothing" : blamed.found(),
            "a name of its own");
      }
      options.add(option(text, 0, set));
    }
    add(options);
    requireDifferent(node, path, options);
  }

  private List<YamlNode.Entry> set(YamlNode node, String path) {
    return node instanceof YamlNode.Mapping nothing && nothing.entries().isEmpty()
        ? List.of()
        : mapping(node, path, "a mapping of dotted paths to values");
  }

  private void random(YamlNode node) {
    RandomPoints random = new RandomPoints(node, where + ".random", problems);
    List<Option> options = new ArrayList<>();
    for (List<YamlNode.Entry> point : random.draw()) {
      options.add(option("", options.size() + 1, point));
    }
    add(options);
  }

  private void seeds(YamlNode node) {
    List<YamlNode.Entry> seeds = new ArrayList<>();
    YamlNode.Scalar key = new YamlNode.Scalar(Factor.SEED, true, node.position());
    if (node instanceof YamlNode.Sequence list && !list.items().isEmpty()) {
      values(node, where + ".seeds").forEach(seed -> seeds.add(new YamlNode.Entry(key, seed)));
    } else {
      long count =
          node instanceof YamlNode.Scalar scalar
              ? Value.Whole.parse(scalar.text()).map(Value.Whole::number).orElse(0L)
              : 0;
      if (count < 1 || count > Sweep.MOST_POINTS) {
        problems.add(
            node.position(), where + ".seeds", node.found(), "how many seeds, or a list of them");
        return;
      }
      if (!problems.isEmpty()) {
        return;
      }
      long first = firstSeed();
      for (long i = 0; i < count; i++) {
        String text = Long.toString(first + i);
        seeds.add(new YamlNode.Entry(key, new YamlNode.Scalar(text, true, node.position())));
      }
    }
    List<Option> options = seeds.stream().map(seed -> option("", 0, List.of(seed))).toList();
    add(options);
    requireDifferent(node, where + ".seeds", options);
  }

  /** That of the first variant. */
  private long firstSeed() {
    String variant = scenario.variantNames().get(0);
    return scenario.variant(variant, variant, List.of()).spec().seed();
  }

  /** A value as it was written, lists and mappings in YAML's flow style. */
  static String text(YamlNode node) {
    if (node instanceof YamlNode.Scalar scalar) {
      return scalar.text().strip();
    }
    if (node instanceof YamlNode.Sequence list) {
      return list.items().stream()
          .map(SweepReader::text)
          .collect(Collectors.joining(", ", "[", "]"));
    }
    YamlNode.Mapping mapping = (YamlNode.Mapping) node;
    return mapping.entries().stream()
        .map(entry -> entry.key().text() + ": " + text(entry.value()))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
