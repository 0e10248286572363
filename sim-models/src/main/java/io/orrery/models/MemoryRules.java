package io.orrery.models;

import io.orrery.models.EngineMemory.Coefficients;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** What engines keep of a GPU's memory besides weights and KV cache: {@code memory.json}. */
public final class MemoryRules {
  private static final List<String> COMMON =
      List.of("activations-dense", "activations-moe", "activations", "communication");

  private final Map<String, EngineMemory> engines;

  private MemoryRules(Map<String, FactSheet> sheets) {
    FactSheet activations = sheet(sheets, "activations");
    Coefficients coefficients =
        new Coefficients(
            byTensorParallel(sheet(sheets, "activations-dense")),
            byTensorParallel(sheet(sheets, "activations-moe")),
            byTensorParallel(sheet(sheets, "communication")),
            activations.whole("minimumBytes"),
            activations.number("moeWorkspaceBytes"),
            activations.number("moeWorkspaceExpertsPerUnit"));
    Map<String, EngineMemory> byPreset = new LinkedHashMap<>();
    sheets.forEach(
        (name, sheet) -> {
          if (COMMON.contains(name)) {
            sheet.finish();
          } else {
            byPreset.put(name, EngineMemory.with(coefficients).apply(sheet));
          }
        });
    engines = Collections.unmodifiableMap(byPreset);
  }

  static MemoryRules from(Map<String, FactSheet> sheets) {
    return new MemoryRules(sheets);
  }

  private static FactSheet sheet(Map<String, FactSheet> sheets, String name) {
    FactSheet sheet = sheets.get(name);
    if (sheet == null) {
      throw new CatalogException("memory.json: missing entry " + name);
    }
    return sheet;
  }

  private static NavigableMap<Integer, Double> byTensorParallel(FactSheet sheet) {
    NavigableMap<Integer, Double> values = new TreeMap<>();
    for (int tensorParallel : new int[] {1, 2, 4, 8}) {
      values.put(tensorParallel, sheet.number("tp" + tensorParallel));
    }
    return values;
  }

  /**
   * The rules of an engine preset.
   *
   * @param preset such as {@code vllm-2026-07}
   * @throws IllegalArgumentException if none are known for that preset
   */
  public EngineMemory engine(String preset) {
    EngineMemory engine = engines.get(preset);
    if (engine == null) {
      throw new IllegalArgumentException(Names.unknown("engine preset", preset, engines.keySet()));
    }
    return engine;
  }

  /** The engine presets with rules, in catalogue order. */
  public Set<String> enginePresets() {
    return engines.keySet();
  }
}
