package io.orrery.models.config;

import io.orrery.models.Experts;
import io.orrery.models.Fact;
import io.orrery.models.LatentAttention;
import io.orrery.models.Layer;
import io.orrery.models.Layers;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Provenance;
import io.orrery.models.StateSpace;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Hugging Face {@code config.json}. Field names and defaults are those of the Transformers
 * library's configuration classes. A multimodal configuration is read for its language model; what
 * sees or hears is not counted.
 */
public final class HuggingFaceConfig {
  private static final List<String> FLAT_HIDDEN_ACTIVATIONS = List.of("relu", "relu2");

  /** Nothing real is as large, and no product of sizes up to these overflows. */
  static final int MOST_PARTS = 1 << 14;

  static final int WIDEST = 1 << 20;
  private static final int MOST_TOKENS = 1 << 24;

  private final ConfigFields whole;
  private final ConfigFields fields;
  private final String name;
  private final ModelFamily family;
  private final Map<String, Fact> facts = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();

  private HuggingFaceConfig(Path path) {
    this.whole = ConfigFields.read(path);
    ConfigFields text = whole.object("text_config");
    this.fields = text == null ? whole : text;
    this.name = name(path);
    if (text != null) {
      remarks.add("only the language model of a multimodal configuration is counted");
    }
    this.family = ModelFamily.of(fields, whole);
  }

  /** The file of a path that may be its folder's. */
  public static Path file(Path path) {
    Path inside = path.resolve("config.json");
    return Files.isRegularFile(inside) ? inside : path;
  }

  /**
   * Reads a model.
   *
   * @param path the file, or a folder with a {@code config.json}
   * @throws ModelConfigException if it is malformed or describes what is not supported
   */
  public static ModelArchitecture read(Path path) {
    Path file = file(path);
    return new HuggingFaceConfig(file).model(file);
  }

  /** The folder of a {@code config.json}, or what a file of another name is called before that. */
  private static String name(Path path) {
    Path leaf = path.getFileName();
    String file = leaf == null ? path.toString() : leaf.toString();
    if (file.equals("config.json")) {
      Path parent = path.toAbsolutePath().normalize().getParent();
      Path folder = parent == null ? null : parent.getFileName();
      return folder == null ? file : folder.toString();
    }
    return file.replaceFirst("[._-]?config\\.json$|\\.json$", "");
  }

  private ModelArchitecture model(Path path) {
    List<Layer> plan = new LayerPlan(fields, family).layers();
    Quantization quantization = Quantization.of(whole, fields, path);
    LatentAttention latent = family.hasLatentAttention() ? latent() : null;
    int heads = known("attentionHeads", "num_attention_heads", MOST_PARTS);
    int hidden = known("hiddenSize", "hidden_size", WIDEST);
    int headDim = latent != null ? latent.headDim() : headDim(hidden, heads);
    try {
      ModelArchitecture model =
          new ModelArchitecture(
              name,
              path.toString(),
              plan,
              hidden,
              heads,
              latent != null ? heads : kvHeads(heads),
              headDim,
              latent,
              Layers.any(plan, Layer.Mixer.STATE) ? states() : null,
              Layers.any(plan, Layer.FeedForward.DENSE) ? denseIntermediate() : 0,
              Layers.any(plan, Layer.FeedForward.EXPERTS) ? experts() : null,
              !FLAT_HIDDEN_ACTIVATIONS.contains(fields.textOr(family.activationField(), "silu")),
              known("vocabularySize", "vocab_size", MOST_TOKENS),
              fields.flagOr(
                  "tie_word_embeddings", whole.flagOr("tie_word_embeddings", family.tied())),
              known("maxPositions", "max_position_embeddings", Integer.MAX_VALUE),
              Layers.any(plan, Layer.Mixer.WINDOW)
                  ? known("slidingWindow", "sliding_window", Integer.MAX_VALUE)
                  : 0,
              draftLayers(),
              quantization.weights(),
              quantization.keptInSixteenBits(),
              new Provenance(name, List.copyOf(remarks), facts));
      model.parameters().requireCountable();
      return model;
    } catch (ModelConfigException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new ModelConfigException(fields.file() + ": " + e.getMessage(), e);
    }
  }

  private int headDim(int hidden, int heads) {
    if (!fields.has("head_dim") && hidden % heads != 0) {
      throw fields.wrong("num_attention_heads", "a divisor of hidden_size " + hidden);
    }
    if (!fields.has("head_dim")) {
      return fact("headDim", "head_dim", hidden / heads, WIDEST);
    }
    return known("headDim", "head_dim", MOST_PARTS);
  }

  private int kvHeads(int heads) {
    int kvHeads = fact("kvHeads", "num_key_value_heads", heads, MOST_PARTS);
    if (kvHeads == 0 || heads % kvHeads != 0) {
      throw fields.wrong("num_key_value_heads", "a divisor of num_attention_heads " + heads);
    }
    return kvHeads;
  }

  private int denseIntermediate() {
    return known("denseIntermediate", family.denseWidthField(fields), WIDEST);
  }

  private Experts experts() {
    int width = known("expertIntermediate", family.expertWidthField(fields), WIDEST);
    int count = known("experts", family.expertCountField(fields), MOST_PARTS);
    int perToken = known("expertsPerToken", "num_experts_per_tok", MOST_PARTS);
    if (perToken > count) {
      throw fields.wrong("num_experts_per_tok", "at most the " + count + " experts");
    }
    return new Experts(
        count,
        perToken,
        width,
        family.sharedWidth(fields, width),
        fact("expertLatentSize", "moe_latent_size", 0, WIDEST));
  }

  private LatentAttention latent() {
    return new LatentAttention(
        fact("queryRank", "q_lora_rank", 0, WIDEST),
        known("latentRank", "kv_lora_rank", WIDEST),
        known("plainHeadDim", "qk_nope_head_dim", MOST_PARTS),
        known("rotaryHeadDim", "qk_rope_head_dim", MOST_PARTS),
        known("valueHeadDim", "v_head_dim", MOST_PARTS));
  }

  private StateSpace states() {
    boolean nemotron = family == ModelFamily.NEMOTRON_H;
    return new StateSpace(
        known("stateHeads", nemotron ? "mamba_num_heads" : "mamba_n_heads", MOST_PARTS),
        known("stateHeadDim", nemotron ? "mamba_head_dim" : "mamba_d_head", MOST_PARTS),
        known("stateSize", nemotron ? "ssm_state_size" : "mamba_d_state", MOST_PARTS),
        known("stateGroups", nemotron ? "n_groups" : "mamba_n_groups", MOST_PARTS),
        known("stateConvolution", nemotron ? "conv_kernel" : "mamba_d_conv", MOST_PARTS),
        stateBytes());
  }

  /** Engines keep the state in 32 bits unless the configuration says 16. */
  private int stateBytes() {
    String type = fields.textOr("mamba_ssm_cache_dtype", "float32");
    return switch (type) {
      case "float32" -> 4;
      case "bfloat16", "float16" -> 2;
      default -> throw fields.wrong("mamba_ssm_cache_dtype", "float32, bfloat16 or float16");
    };
  }

  private int draftLayers() {
    if (fields.has("num_mtp_modules")) {
      return fields.countOr("num_mtp_modules", 0, MOST_PARTS)
          * fields.countOr("mtp_transformer_layers", 1, MOST_PARTS);
    }
    return fields.countOr("num_nextn_predict_layers", 0, MOST_PARTS);
  }

  private int known(String field, String key, int most) {
    int value = fields.positive(key, most);
    note(field, key, value);
    return value;
  }

  private int fact(String field, String key, int otherwise, int most) {
    int value = fields.countOr(key, otherwise, most);
    note(field, key, value);
    return value;
  }

  private void note(String field, String key, @Nullable Integer value) {
    facts.put(
        field,
        new Fact(
            value == null ? null : BigDecimal.valueOf(value),
            fields.has(key) ? fields.source(key) : "default of the Transformers library",
            false,
            "",
            fields.line(key)));
  }
}
