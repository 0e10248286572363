package io.orrery.models.config;

import io.orrery.models.Layer;
import io.orrery.models.Layer.FeedForward;
import io.orrery.models.Layer.Mixer;
import io.orrery.models.Layers;
import java.util.ArrayList;
import java.util.List;

/** What each layer of a configuration does. */
final class LayerPlan {
  private static final int MOST_LAYERS = 10_000;

  private final ConfigFields fields;
  private final ModelFamily family;
  private final int count;

  LayerPlan(ConfigFields fields, ModelFamily family) {
    this.fields = fields;
    this.family = family;
    this.count = fields.positive("num_hidden_layers");
    if (count > MOST_LAYERS) {
      throw fields.wrong("num_hidden_layers", "at most " + MOST_LAYERS);
    }
  }

  List<Layer> layers() {
    if (family == ModelFamily.NEMOTRON_H) {
      return ofPattern();
    }
    List<Mixer> mixers = mixers();
    List<Layer> plan = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      plan.add(new Layer(mixers.get(i), feedForward(i)));
    }
    return plan;
  }

  private List<Layer> ofPattern() {
    String pattern = fields.textOr("hybrid_override_pattern", "");
    if (pattern.length() != count) {
      throw fields.wrong(
          "hybrid_override_pattern", count + " letters, one for each of num_hidden_layers");
    }
    try {
      return Layers.ofPattern(pattern);
    } catch (IllegalArgumentException e) {
      throw fields.wrong(
          "hybrid_override_pattern", "letters M, *, E and - (" + e.getMessage() + ")");
    }
  }

  private List<Mixer> mixers() {
    if (fields.has("layer_types")) {
      return named();
    }
    List<Mixer> mixers = new ArrayList<>();
    boolean windowed = fields.has("sliding_window") && fields.flagOr("use_sliding_window", true);
    int window = windowed ? fields.positive("sliding_window") : 0;
    if (family == ModelFamily.GRANITE_HYBRID) {
      throw fields.missing("layer_types", count + " times mamba or attention");
    }
    int every = windowed && window < fields.positive("max_position_embeddings") ? every() : 0;
    for (int i = 0; i < count; i++) {
      // every so many layers one sees everything; 1 for all of them, 0 for no windows
      boolean full = every == 0 || (every > 0 && (i + 1) % every == 0);
      mixers.add(full ? Mixer.FULL : Mixer.WINDOW);
    }
    return mixers;
  }

  /** Every how many layers one sees everything; -1 for never. */
  private int every() {
    if (family == ModelFamily.GEMMA_3) {
      return fields.positiveOr("sliding_window_pattern", 6);
    }
    if (ModelFamily.isGemma2(fields)) {
      return 2;
    }
    String type = fields.textOr("model_type", "");
    if (type.equals("mistral") || type.equals("mixtral") || type.equals("phi3")) {
      return -1;
    }
    if (type.startsWith("qwen2")) {
      throw fields.missing("layer_types", "the layers with a window, as it is used");
    }
    throw fields.missing("layer_types", "what each layer sees, as there is a sliding_window");
  }

  private List<Mixer> named() {
    List<String> types = fields.texts("layer_types");
    if (types.size() != count) {
      throw fields.wrong(
          "layer_types",
          count + " entries, one for each of num_hidden_layers, not " + types.size());
    }
    List<Mixer> mixers = new ArrayList<>();
    for (String type : types) {
      mixers.add(
          switch (type) {
            case "full_attention", "attention" -> Mixer.FULL;
            case "sliding_attention" -> Mixer.WINDOW;
            case "mamba" -> Mixer.STATE;
            default ->
                throw fields.wrong(
                    "layer_types",
                    "full_attention, sliding_attention, attention and mamba, not '" + type + "'");
          });
    }
    return mixers;
  }

  private FeedForward feedForward(int layer) {
    return switch (family) {
      case DENSE, GEMMA_3 -> FeedForward.DENSE;
      case MIXTRAL -> FeedForward.EXPERTS;
      case QWEN_MOE -> {
        int sparse = fields.positiveOr("decoder_sparse_step", 1);
        boolean plain = fields.numbers("mlp_only_layers").contains(layer);
        yield !plain && (layer + 1) % sparse == 0 ? FeedForward.EXPERTS : FeedForward.DENSE;
      }
      case GRANITE_HYBRID ->
          fields.countOr("num_local_experts", 0) > 0 ? FeedForward.EXPERTS : FeedForward.DENSE;
      default ->
          layer >= fields.countOr("first_k_dense_replace", 0)
                  && layer % fields.positiveOr("moe_layer_freq", 1) == 0
              ? FeedForward.EXPERTS
              : FeedForward.DENSE;
    };
  }
}
