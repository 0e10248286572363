package io.orrery.scenarios.measured;

import io.orrery.models.Precision;
import java.util.List;
import java.util.Locale;

/** What sources of measurements call things, in our names. */
public final class SourceNames {
  public static final List<String> ENGINES = List.of("vllm", "trtllm", "sglang");

  /** Formats of weights; those of mxfp4 say what its experts are multiplied with. */
  static final List<String> FORMATS =
      List.of("bfloat16", "fp8", "fp8_block", "nvfp4", "mxfp4", "w4a16_mxfp4", "w4a8_mxfp4_mxfp8");

  private SourceNames() {}

  /** {@code b200_sxm} is b200. */
  public static String gpu(String system) {
    return system.endsWith("_sxm") ? system.substring(0, system.length() - 4) : system;
  }

  /** {@code openai/gpt-oss-120b} is gpt-oss-120b; DeepSeek-R1 is DeepSeek-V3 with other weights. */
  public static String model(String source) {
    String name = source.substring(source.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return switch (name) {
      case "deepseek-r1", "deepseek-r1-0528" -> "deepseek-v3";
      default -> name;
    };
  }

  /** The precision of weights of these formats. */
  public static Precision weights(String denseFormat, String expertFormat) {
    if (expertFormat.contains("mxfp4")) {
      return Precision.MXFP4;
    }
    return switch (denseFormat) {
      case "fp8", "fp8_block" -> Precision.FP8;
      case "nvfp4" -> Precision.NVFP4;
      default -> Precision.BF16;
    };
  }
}
