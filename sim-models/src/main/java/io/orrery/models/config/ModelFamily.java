package io.orrery.models.config;

import io.orrery.models.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Architectures by their {@code model_type}, with the names that they have for the same things. */
enum ModelFamily {
  /** Grouped-query attention and one gated MLP per layer. */
  DENSE("llama", "mistral", "qwen2", "qwen3", "granite", "phi3", "olmo2", "glm4", "gemma2"),
  /** As {@link #DENSE}, most layers with a window. */
  GEMMA_3("gemma3_text", "gemma3"),
  /** Routed experts of the MLP's width in every layer. */
  MIXTRAL("mixtral", "minimax_m2", "gpt_oss", "granitemoe", "granitemoeshared"),
  /** Routed experts of a width of their own, in every layer or some, and perhaps shared ones. */
  QWEN_MOE("qwen2_moe", "qwen3_moe"),
  /** Grouped-query attention; experts but for the first layers, and shared ones. */
  GLM_MOE("glm4_moe"),
  /** Latent attention; experts but for the first layers, and shared ones. */
  DEEPSEEK("deepseek_v2", "deepseek_v3", "kimi_k2"),
  /** Mamba-2 or attention in every layer, then an MLP or experts. */
  GRANITE_HYBRID("granitemoehybrid"),
  /** Mamba-2, attention, experts or an MLP, one of them a layer. */
  NEMOTRON_H("nemotron_h");

  private final List<String> types;

  ModelFamily(String... types) {
    this.types = List.of(types);
  }

  /**
   * The family of a configuration.
   *
   * @throws ModelConfigException if its {@code model_type} is missing or not known
   */
  static ModelFamily of(ConfigFields fields, ConfigFields whole) {
    ConfigFields saying = fields.has("model_type") ? fields : whole;
    String type = saying.textOr("model_type", "");
    List<String> known = new ArrayList<>();
    for (ModelFamily family : values()) {
      if (family.types.contains(type)) {
        return family;
      }
      known.addAll(family.types);
    }
    throw saying.wrong(
        "model_type", "one of " + String.join(", ", known) + Names.didYouMean(type, known));
  }

  static boolean isGemma2(ConfigFields fields) {
    return fields.textOr("model_type", "").equals("gemma2");
  }

  boolean hasLatentAttention() {
    return this == DEEPSEEK;
  }

  /** Whether the output projection is the embedding when the configuration is silent. */
  boolean tied() {
    return this == GEMMA_3;
  }

  String activationField() {
    return this == NEMOTRON_H ? "mlp_hidden_act" : "hidden_act";
  }

  String denseWidthField(ConfigFields fields) {
    return this == GRANITE_HYBRID && fields.has("shared_intermediate_size")
        ? "shared_intermediate_size"
        : "intermediate_size";
  }

  String expertWidthField(ConfigFields fields) {
    return switch (this) {
      case MIXTRAL, GRANITE_HYBRID -> "intermediate_size";
      default -> "moe_intermediate_size";
    };
  }

  String expertCountField(ConfigFields fields) {
    List<String> names = Arrays.asList("n_routed_experts", "num_local_experts", "num_experts");
    return names.stream().filter(fields::has).findFirst().orElse("num_local_experts");
  }

  /** Width of all shared experts together. */
  int sharedWidth(ConfigFields fields, int expertWidth) {
    return switch (this) {
      case DEEPSEEK, GLM_MOE -> shared(fields, expertWidth);
      case NEMOTRON_H ->
          shared(fields, width(fields, "moe_shared_expert_intermediate_size", expertWidth));
      case QWEN_MOE -> width(fields, "shared_expert_intermediate_size", 0);
      default -> width(fields, "shared_intermediate_size", 0);
    };
  }

  private static int shared(ConfigFields fields, int width) {
    String field = "n_shared_experts";
    long all = (long) fields.countOr(field, 0, HuggingFaceConfig.MOST_PARTS) * width;
    if (all > HuggingFaceConfig.WIDEST) {
      throw fields.wrong(
          field, "at most " + HuggingFaceConfig.WIDEST / width + " of width " + width);
    }
    return (int) all;
  }

  private static int width(ConfigFields fields, String field, int otherwise) {
    return fields.countOr(field, otherwise, HuggingFaceConfig.WIDEST);
  }
}
