package io.orrery.scenarios.imports;

import io.orrery.scenarios.text.CanonicalText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was understood of another system's settings: scenario keys by dotted path, and a sentence
 * for everything that was not.
 */
public final class ImportedConfig {
  private final Map<String, Object> keys = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * Sets a key.
   *
   * @param path dotted; {@code pool.KEY} is a key of the one pool
   * @param value text, number or boolean
   */
  void put(String path, Object value) {
    keys.put(path, value);
  }

  /** Whether a key is set. */
  boolean has(String path) {
    return keys.containsKey(path);
  }

  /** Leaves out what only the KV router knows. */
  void dropKvParameters() {
    keys.keySet()
        .removeIf(
            path ->
                path.startsWith("routing.")
                    && !path.startsWith("routing.queue.")
                    && !path.startsWith("routing.busy")
                    && !Set.of(
                            "routing.policy", "routing.ttl", "routing.mode", "routing.replicaDelay")
                        .contains(path));
  }

  /** Says what was not understood, or not taken over as it stands. */
  void note(String sentence) {
    notes.add(sentence);
  }

  /** The keys, as they were put. */
  public Map<String, Object> keys() {
    return Map.copyOf(keys);
  }

  /** What was not mapped and why, a sentence each, in the order in which it was read. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** The keys as a part of a scenario in YAML. */
  public String toYaml() {
    Map<String, Object> root = new LinkedHashMap<>();
    Map<String, Object> pool = new LinkedHashMap<>();
    for (Map.Entry<String, Object> key : keys.entrySet()) {
      String path = key.getKey();
      boolean ofPool = path.startsWith("pool.");
      put(ofPool ? pool : root, ofPool ? path.substring(5) : path, key.getValue());
    }
    Map<String, Object> ordered = new LinkedHashMap<>();
    if (!pool.isEmpty()) {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("name", "main");
      named.putAll(pool);
      ordered.put("cluster", Map.of("pools", List.of(named)));
    }
    for (String section : List.of("engine", "routing")) {
      if (root.containsKey(section)) {
        ordered.put(section, root.get(section));
      }
    }
    return ordered.isEmpty() ? "" : CanonicalText.yaml(ordered);
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> root, String path, Object value) {
    Map<String, Object> parent = root;
    String[] steps = path.split("\\.", -1);
    for (int i = 0; i < steps.length - 1; i++) {
      parent =
          (Map<String, Object>)
              parent.computeIfAbsent(steps[i], name -> new LinkedHashMap<String, Object>());
    }
    parent.put(steps[steps.length - 1], value);
  }
}
