package io.orrery.scenarios.sweep;

import io.orrery.scenarios.ScenarioLayers.Layer;
import io.orrery.scenarios.WrittenKeys;
import io.orrery.scenarios.text.KeyPath;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One way in which a sweep's points differ: a point takes one option of every dimension.
 *
 * @param options at least one
 */
record Dimension(List<Option> options) {
  Dimension {
    options = List.copyOf(options);
  }

  /** The keys that any of its options writes. */
  WrittenKeys written() {
    Set<KeyPath> keys = new LinkedHashSet<>();
    Set<KeyPath> lists = new LinkedHashSet<>();
    for (Option option : options) {
      keys.addAll(option.layer().written().keys());
      lists.addAll(option.layer().written().lists());
    }
    return new WrittenKeys(keys, lists);
  }

  /**
   * One of the choices.
   *
   * @param name what it is called; empty to be called by what it sets
   * @param number of a draw, from 1, since two may be equal; 0 for what is no draw
   * @param set dotted paths and their values, as text
   * @param layer the same, to be applied
   */
  record Option(String name, int number, Map<String, String> set, Layer layer) {
    Option {
      set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    }
  }
}
