package io.orrery.scenarios.sweep;

import io.orrery.scenarios.ScenarioLayers;
import io.orrery.scenarios.ScenarioLayers.Layer;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.sweep.Dimension.Option;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.ScenarioException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The points of a sweep, in a fixed order: variants change slowest, then the grid's keys as they
 * are written, then what changes together, what is written out, what is drawn, and seeds fastest.
 * May be shared between threads.
 */
public final class Sweep {
  /** More points than this are taken for a mistake. */
  public static final int MOST_POINTS = 1_000_000;

  private final ScenarioLayers scenario;
  private final List<Dimension> dimensions;
  private final List<Factor> factors;
  private final int size;

  Sweep(ScenarioLayers scenario, List<Dimension> dimensions) {
    this.scenario = scenario;
    this.dimensions = List.copyOf(dimensions);
    this.factors = factors(scenario, dimensions);
    int points = scenario.variantNames().size();
    for (Dimension dimension : dimensions) {
      points = Math.multiplyExact(points, dimension.options().size());
    }
    size = points;
  }

  private static List<Factor> factors(ScenarioLayers scenario, List<Dimension> dimensions) {
    Map<String, Set<String>> values = new LinkedHashMap<>();
    if (scenario.variantNames().size() > 1) {
      values.put(Factor.VARIANT, new LinkedHashSet<>(scenario.variantNames()));
    }
    for (Dimension dimension : dimensions) {
      for (Option option : dimension.options()) {
        option
            .set()
            .forEach(
                (path, value) ->
                    values.computeIfAbsent(path, key -> new LinkedHashSet<>()).add(value));
      }
    }
    List<Factor> factors = new ArrayList<>();
    values.forEach(
        (path, taken) ->
            factors.add(new Factor(path, shortName(path, values.keySet()), List.copyOf(taken))));
    return factors;
  }

  /** The shortest end of a path that no other path has. */
  private static String shortName(String path, Set<String> paths) {
    String name = path;
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      String end = path.substring(dot + 1);
      if (paths.stream().filter(other -> ("." + other).endsWith("." + end)).count() == 1) {
        return end;
      }
    }
    return name;
  }

  /** The scenario's name. */
  public String name() {
    return scenario.name();
  }

  /** What differs between points. */
  public List<Factor> factors() {
    return factors;
  }

  /** The keys that points write, the seed among them. */
  public Set<KeyPath> keys() {
    Set<KeyPath> keys = new LinkedHashSet<>();
    dimensions.forEach(dimension -> keys.addAll(dimension.written().keys()));
    return keys;
  }

  /** How many points there are. */
  public int size() {
    return size;
  }

  /**
   * A point.
   *
   * @param index from 0 to {@link #size()} - 1
   */
  public SweepPoint point(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("point " + index + " of " + size);
    }
    Option[] chosen = new Option[dimensions.size()];
    int rest = index;
    for (int d = dimensions.size() - 1; d >= 0; d--) {
      List<Option> options = dimensions.get(d).options();
      chosen[d] = options.get(rest % options.size());
      rest /= options.size();
    }
    return point(index, scenario.variantNames().get(rest), List.of(chosen));
  }

  private SweepPoint point(int index, String variant, List<Option> chosen) {
    Map<String, String> set = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    String seed = "";
    if (scenario.variantNames().size() > 1) {
      parts.add(variant);
    }
    for (Option option : chosen) {
      set.putAll(option.set());
      if (option.set().keySet().equals(Set.of(Factor.SEED))) {
        seed = "seed=" + option.set().get(Factor.SEED);
      } else if (!option.name().isEmpty()) {
        parts.add(option.name());
      } else {
        if (option.number() > 0) {
          parts.add("#" + option.number());
        }
        option.set().forEach((path, value) -> parts.add(shortNameOf(path) + "=" + value));
      }
    }
    String group = parts.isEmpty() ? scenario.name() : String.join(" ", parts);
    List<String> values = new ArrayList<>();
    for (Factor factor : factors) {
      values.add(
          factor.path().equals(Factor.VARIANT) ? variant : set.getOrDefault(factor.path(), ""));
    }
    List<Layer> layers = chosen.stream().map(Option::layer).toList();
    String name = seed.isEmpty() ? group : parts.isEmpty() ? seed : group + " " + seed;
    return new SweepPoint(index, name, group, variant, values, set, layers);
  }

  private String shortNameOf(String path) {
    for (Factor factor : factors) {
      if (factor.path().equals(path)) {
        return factor.name();
      }
    }
    return path;
  }

  /**
   * The run of a point.
   *
   * @throws ScenarioException if the point's settings do not go together
   */
  public Variant variant(SweepPoint point) {
    return variant(point, List.of());
  }

  /**
   * The run of a point under further settings.
   *
   * @throws ScenarioException if the settings do not go together
   */
  public Variant variant(SweepPoint point, List<Layer> further) {
    List<Layer> layers = new ArrayList<>(point.layers());
    layers.addAll(further);
    return scenario.variant(point.variant(), point.name(), layers);
  }
}
