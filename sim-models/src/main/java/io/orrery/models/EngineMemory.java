package io.orrery.models;

import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * How one engine, as of one version, shares out a GPU's memory. The rules of an engine preset: an
 * entry of {@code memory.json}, which says where its values come from.
 */
public final class EngineMemory {
  /** Bytes of an activation element. */
  private static final double ACTIVATION_BYTES = 2;

  private static final double MIB = 1 << 20;
  private static final double SGLANG_CONSTANT_MIB = 512;
  private static final double SGLANG_MIB_PER_CHUNK_TOKEN = 1.5;
  private static final double SGLANG_LEAST_CHUNK = 2048;
  private static final double SGLANG_MIB_PER_GRAPH_SEQUENCE = 2;
  private static final double SGLANG_LARGEST_GRAPH = 512;
  private static final double SGLANG_MIB_PER_GPU = 128;
  private static final double SGLANG_LEAST_MIB_ON_LARGE = 10 * 1024;
  private static final double SGLANG_LARGE_MIB = 60 * 1024;

  /** What the engine's memory share is a share of. */
  public enum ShareOf {
    /** The GPU's memory: weights, activations, reserve and KV cache come out of it (vLLM). */
    MEMORY("memory", "gpu_memory_utilization"),
    /** What weights, activations and reserve leave: it is the KV cache (TensorRT-LLM). */
    REST("rest", "free_gpu_memory_fraction"),
    /** The GPU's memory: weights and KV cache come out of it (SGLang). */
    WEIGHTS_AND_KV("weights-and-kv", "mem_fraction_static");

    private final String label;
    private final String option;

    ShareOf(String label, String option) {
      this.label = label;
      this.option = option;
    }

    static ShareOf of(String label) {
      for (ShareOf shareOf : values()) {
        if (shareOf.label.equals(label)) {
          return shareOf;
        }
      }
      throw new CatalogException(
          Names.unknown("shareOf", label, List.of("memory", "rest", "weights-and-kv")));
    }

    /** The engine's own name of the share. */
    public String option() {
      return option;
    }
  }

  private final String preset;
  private final OptionalDouble share;
  private final ShareOf shareOf;
  private final double samplerBytes;
  private final long contextBytes;
  private final long graphBytes;
  private final boolean nvfp4Kv;
  private final List<String> notes;
  private final Coefficients coefficients;

  /**
   * What all engines share: coefficients by tensor parallelism.
   *
   * @param dense activations of dense models
   * @param experts activations of models with experts
   * @param communication bytes of communication buffers
   * @param minimumActivationBytes least activations
   * @param workspaceBytes bytes per element of the experts' workspace
   * @param workspaceExperts expert choices that share one
   */
  record Coefficients(
      NavigableMap<Integer, Double> dense,
      NavigableMap<Integer, Double> experts,
      NavigableMap<Integer, Double> communication,
      long minimumActivationBytes,
      double workspaceBytes,
      double workspaceExperts) {}

  private EngineMemory(FactSheet sheet, Coefficients coefficients) {
    this.preset = sheet.name();
    this.share = sheet.numberIfKnown("share");
    this.shareOf = ShareOf.of(sheet.text("shareOf"));
    this.samplerBytes = sheet.number("samplerBytes");
    this.contextBytes = sheet.whole("contextBytes");
    this.graphBytes = sheet.whole("graphBytes");
    this.nvfp4Kv = sheet.flag("nvfp4Kv");
    this.notes = sheet.lowConfidenceNotes();
    this.coefficients = coefficients;
    sheet.finish();
  }

  static Function<FactSheet, EngineMemory> with(Coefficients coefficients) {
    return sheet -> new EngineMemory(sheet, coefficients);
  }

  /** The engine preset. */
  public String preset() {
    return preset;
  }

  /** What the share is a share of. */
  public ShareOf shareOf() {
    return shareOf;
  }

  /** Whether the engine has an NVFP4 KV cache, on GPUs that have 4-bit units. */
  public boolean hasNvfp4Kv() {
    return nvfp4Kv;
  }

  /** What the user should know about these rules. */
  public List<String> notes() {
    return notes;
  }

  /**
   * The share that the engine takes when nobody says otherwise. SGLang computes its own: {@code
   * (memory − reserve) / memory}, rounded to three digits, where the reserve in MiB is {@code 512 +
   * 1.5 · prefill chunk + 2 · 512 + 128 · GPUs}, and at least 10 GiB on GPUs of more than 60 GiB.
   *
   * @param maxBatchedTokens largest number of new tokens in a pass
   */
  public double defaultShare(Deployment deployment, int maxBatchedTokens) {
    if (share.isPresent()) {
      return share.getAsDouble();
    }
    double memory = deployment.gpu().memoryBytes() / MIB;
    double reserve =
        SGLANG_CONSTANT_MIB
            + SGLANG_MIB_PER_CHUNK_TOKEN * Math.max(maxBatchedTokens, SGLANG_LEAST_CHUNK)
            + SGLANG_MIB_PER_GRAPH_SEQUENCE * SGLANG_LARGEST_GRAPH
            + SGLANG_MIB_PER_GPU * deployment.gpus();
    if (memory > SGLANG_LARGE_MIB) {
      reserve = Math.max(reserve, SGLANG_LEAST_MIB_ON_LARGE);
    }
    return Math.rint((memory - reserve) / memory * 1000) / 1000;
  }

  /**
   * Peak of the activations on one GPU, the larger of a pass and of choosing tokens after it:
   *
   * <pre>
   * 2 · tokens · heads · head width · c(TP) · (1 + draft layers)  the pass itself
   * + 4 · tokens · expert input · experts · experts per token / 128 / expert groups    workspace
   *
   * 40 · sequences · vocabulary                                   vLLM: logits, sorted, and what
   *                                                               sampling makes of them
   * </pre>
   *
   * and at least 70 MiB. {@code c} is known for TP 1, 2, 4 and 8; between them that of the next
   * smaller TP counts, which is the larger one. With latent attention the model's width stands for
   * heads · head width.
   *
   * @param maxBatchedTokens largest number of new tokens in a pass
   * @param maxSequences largest number of sequences in a pass
   */
  public long activationBytes(Deployment deployment, int maxBatchedTokens, int maxSequences) {
    ModelArchitecture model = deployment.model();
    NavigableMap<Integer, Double> known =
        model.isMixtureOfExperts() ? coefficients.experts() : coefficients.dense();
    double coefficient = known.floorEntry(deployment.attentionSlices()).getValue();
    double width =
        model.latent() != null
            ? model.hiddenSize()
            : (double) model.attentionHeads() * model.headDim();
    double pass =
        ACTIVATION_BYTES * maxBatchedTokens * width * coefficient * (1 + deployment.draftLayers());
    double workspace =
        coefficients.workspaceBytes()
            * maxBatchedTokens
            * deployment.attentionDataParallel()
            * model.expertInputSize()
            * model.experts()
            * model.expertsPerToken()
            / coefficients.workspaceExperts()
            / deployment.expertParallel();
    double sampling = samplerBytes * maxSequences * model.vocabularySize();
    return Math.max(
        coefficients.minimumActivationBytes(),
        (long) Math.ceil(Math.max(pass + workspace, sampling)));
  }

  /**
   * Communication buffers, CUDA context and graphs on one GPU. Buffers are known for TP 1, 2, 4 and
   * 8; between them those of the next larger TP count.
   */
  public long reserveBytes(Deployment deployment) {
    NavigableMap<Integer, Double> known = coefficients.communication();
    var entry = known.ceilingEntry(deployment.tensorParallel());
    double buffers = (entry == null ? known.lastEntry() : entry).getValue();
    return (long) buffers + contextBytes + graphBytes;
  }

  /**
   * Bytes for the KV cache of one GPU; negative where it does not fit.
   *
   * @param memory bytes of the GPU
   * @param taken the share
   * @param weights bytes of weights
   * @param activations bytes of activations
   * @param reserve bytes of the reserve
   */
  long kvBytes(long memory, double taken, long weights, long activations, long reserve) {
    return switch (shareOf) {
      case MEMORY -> (long) Math.floor(memory * taken) - weights - activations - reserve;
      case REST -> {
        long rest = memory - weights - activations - reserve;
        yield rest < 0 ? rest : (long) Math.floor(rest * taken);
      }
      case WEIGHTS_AND_KV -> {
        long kv = (long) Math.floor((memory - contextBytes) * taken) - weights;
        yield Math.min(kv, memory - weights - activations - reserve);
      }
    };
  }

  @Override
  public String toString() {
    return preset;
  }
}
