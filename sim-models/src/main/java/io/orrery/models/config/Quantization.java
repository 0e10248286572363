package io.orrery.models.config;

import io.orrery.models.Precision;
import io.orrery.models.WeightPart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * In which precision a checkpoint is stored: its {@code quantization_config}, or the {@code
 * hf_quant_config.json} beside it, or else 16 bits.
 *
 * @param weights precision of the quantised matrices
 * @param keptInSixteenBits parts that were left out in every layer
 */
record Quantization(Precision weights, Set<WeightPart> keptInSixteenBits) {
  private static final String BESIDE = "hf_quant_config.json";
  private static final Pattern ONE_LAYER = Pattern.compile("layers\\.[0-9]");
  private static final int FOUR_BITS = 4;
  private static final int EIGHT_BITS = 8;

  static Quantization of(ConfigFields whole, ConfigFields text, Path path) {
    ConfigFields said = whole.object("quantization_config");
    if (said == null) {
      said = text.object("quantization_config");
    }
    Path beside = path.resolveSibling(BESIDE);
    if (said == null && Files.isRegularFile(beside)) {
      said = ConfigFields.read(beside).object("quantization");
    }
    if (said == null) {
      return new Quantization(Precision.BF16, EnumSet.noneOf(WeightPart.class));
    }
    return new Quantization(precision(said), kept(said, text.positive("num_hidden_layers")));
  }

  private static Precision precision(ConfigFields said) {
    if (said.has("quant_algo")) {
      return switch (said.textOr("quant_algo", "")) {
        case "NVFP4" -> Precision.NVFP4;
        case "FP8", "FP8_PB_WO", "FP8_BLOCK_SCALES" -> Precision.FP8;
        default -> throw said.wrong("quant_algo", "NVFP4 or FP8");
      };
    }
    if (said.has("config_groups")) {
      return ofGroups(said);
    }
    return switch (said.textOr("quant_method", "")) {
      case "fp8", "fbgemm_fp8" -> Precision.FP8;
      case "mxfp4" -> Precision.MXFP4;
      default ->
          throw said.wrong(
              "quant_method", "fp8, mxfp4, or modelopt or compressed-tensors in FP8 or NVFP4");
    };
  }

  private static Precision ofGroups(ConfigFields said) {
    ConfigFields groups = said.object("config_groups");
    List<ConfigFields> all = groups == null ? List.of() : groups.objects();
    for (ConfigFields group : all) {
      ConfigFields weights = group.object("weights");
      if (weights != null) {
        return ofGroup(weights);
      }
    }
    throw said.wrong("config_groups", "a group that says how weights are stored");
  }

  private static Precision ofGroup(ConfigFields weights) {
    if (!weights.textOr("type", "").equals("float")) {
      throw weights.wrong("type", "'float': integers are not supported");
    }
    return switch (weights.positive("num_bits")) {
      case FOUR_BITS -> Precision.NVFP4;
      case EIGHT_BITS -> Precision.FP8;
      default -> throw weights.wrong("num_bits", "4 or 8");
    };
  }

  /** Parts that are left out in most layers; what is left out of a few is not counted. */
  private static Set<WeightPart> kept(ConfigFields said, int layers) {
    Map<WeightPart, Integer> mentions = new EnumMap<>(WeightPart.class);
    for (String field : List.of("ignore", "modules_to_not_convert", "exclude_modules")) {
      for (String module : said.texts(field)) {
        WeightPart part = part(module);
        if (part != null) {
          boolean oneLayer = ONE_LAYER.matcher(module).find();
          mentions.merge(part, oneLayer ? 1 : layers, Integer::sum);
        }
      }
    }
    Set<WeightPart> kept = EnumSet.noneOf(WeightPart.class);
    mentions.forEach(
        (part, count) -> {
          if (2 * count > layers) {
            kept.add(part);
          }
        });
    return kept;
  }

  /** The part that a module name or pattern stands for as a whole, or null. */
  private static @Nullable WeightPart part(String module) {
    String bare = module.replaceAll("[*.$^\\\\]+$", "");
    if (bare.endsWith("self_attn")) {
      return WeightPart.ATTENTION;
    }
    if (bare.endsWith("shared_experts") || bare.endsWith("shared_expert")) {
      return WeightPart.SHARED;
    }
    return bare.endsWith("mixer.in_proj") ? WeightPart.STATE_SPACE : null;
  }
}
