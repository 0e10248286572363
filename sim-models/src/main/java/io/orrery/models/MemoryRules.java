package io.orrery.models;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What an engine keeps of a GPU's memory besides weights and KV cache: coefficients of {@code
 * memory.json}, which say where they come from.
 */
public final class MemoryRules {
  /** Bytes of an activation element. */
  private static final double ACTIVATION_BYTES = 2;

  private final NavigableMap<Integer, Double> denseCoefficients;
  private final NavigableMap<Integer, Double> expertCoefficients;
  private final long minimumActivationBytes;
  private final double workspaceBytes;
  private final double workspaceExperts;
  private final NavigableMap<Integer, Double> ncclBytes;
  private final long otherBytes;
  private final Map<String, Double> utilizations;

  private MemoryRules(Map<String, FactSheet> sheets) {
    denseCoefficients = byTensorParallel(sheet(sheets, "activations-dense"), "tp", "");
    expertCoefficients = byTensorParallel(sheet(sheets, "activations-moe"), "tp", "");
    FactSheet activations = sheet(sheets, "activations");
    minimumActivationBytes = activations.whole("minimumBytes");
    workspaceBytes = activations.number("moeWorkspaceBytes");
    workspaceExperts = activations.number("moeWorkspaceExpertsPerUnit");
    FactSheet reserve = sheet(sheets, "reserve");
    ncclBytes = byTensorParallel(reserve, "ncclTp", "Bytes");
    otherBytes = reserve.whole("otherBytes");
    FactSheet presets = sheet(sheets, "gpuMemoryUtilization");
    utilizations = new LinkedHashMap<>();
    for (String preset : presets.fields()) {
      utilizations.put(preset, presets.number(preset));
    }
    sheets.values().forEach(FactSheet::finish);
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

  private static NavigableMap<Integer, Double> byTensorParallel(
      FactSheet sheet, String prefix, String suffix) {
    NavigableMap<Integer, Double> values = new TreeMap<>();
    for (int tensorParallel : new int[] {1, 2, 4, 8}) {
      values.put(tensorParallel, sheet.number(prefix + tensorParallel + suffix));
    }
    return values;
  }

  /**
   * Share of a GPU's memory that an engine preset takes, weights and all.
   *
   * @param enginePreset such as {@code vllm-2026-07}
   * @throws IllegalArgumentException if no share is known for that preset
   */
  public double gpuMemoryUtilization(String enginePreset) {
    Double utilization = utilizations.get(enginePreset);
    if (utilization == null) {
      throw new IllegalArgumentException(
          Names.unknown("engine preset", enginePreset, utilizations.keySet()));
    }
    return utilization;
  }

  /**
   * Peak of the activations on one GPU:
   *
   * <pre>
   * 2 · tokens · heads · head width · c(TP)                       the pass itself
   * + 4 · tokens · hidden · experts · experts per token / 128     expert workspace
   * </pre>
   *
   * and at least 70 MiB. {@code c} is known for TP 1, 2, 4 and 8; between them that of the next
   * smaller TP counts, which is the larger one.
   *
   * @param maxBatchedTokens largest number of new tokens in a pass
   */
  public long activationBytes(Deployment deployment, int maxBatchedTokens) {
    ModelArchitecture model = deployment.model();
    NavigableMap<Integer, Double> coefficients =
        model.isMixtureOfExperts() ? expertCoefficients : denseCoefficients;
    double coefficient = coefficients.floorEntry(deployment.tensorParallel()).getValue();
    double tokens = maxBatchedTokens;
    double pass =
        ACTIVATION_BYTES * tokens * model.attentionHeads() * model.headDim() * coefficient;
    double workspace =
        workspaceBytes
            * tokens
            * model.hiddenSize()
            * model.experts()
            * model.expertsPerToken()
            / workspaceExperts;
    return Math.max(minimumActivationBytes, (long) Math.ceil(pass + workspace));
  }

  /**
   * Communication buffers, CUDA context, graphs and fragmentation on one GPU. Buffers are known for
   * TP 1, 2, 4 and 8; between them those of the next larger TP count.
   */
  public long reserveBytes(Deployment deployment) {
    Map.Entry<Integer, Double> known = ncclBytes.ceilingEntry(deployment.tensorParallel());
    double nccl = (known == null ? ncclBytes.lastEntry() : known).getValue();
    return (long) nccl + otherBytes;
  }
}
