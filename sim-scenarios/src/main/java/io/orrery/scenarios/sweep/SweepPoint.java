package io.orrery.scenarios.sweep;

import io.orrery.scenarios.ScenarioLayers.Layer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of a sweep.
 *
 * @param index from 0, in the sweep's order
 * @param name unique in the sweep
 * @param group the name without the seed: points that differ in nothing else share it
 * @param variant the scenario's variant that it changes
 * @param values the value of every factor, as text, in the order of {@link Sweep#factors()}; empty
 *     text where the point does not set the factor
 * @param set what it sets, dotted paths and values as text
 * @param layers the same, to be applied
 */
public record SweepPoint(
    int index,
    String name,
    String group,
    String variant,
    List<String> values,
    Map<String, String> set,
    List<Layer> layers) {
  /** A point. */
  public SweepPoint {
    values = List.copyOf(values);
    set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    layers = List.copyOf(layers);
  }
}
