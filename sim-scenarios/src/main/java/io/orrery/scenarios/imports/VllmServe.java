package io.orrery.scenarios.imports;

import io.orrery.models.Catalog;
import io.orrery.models.ModelArchitecture;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The flags of {@code vllm serve}. */
final class VllmServe {
  private static final Set<String> IGNORED =
      Set.of(
          "--host",
          "--port",
          "--api-key",
          "--served-model-name",
          "--trust-remote-code",
          "--download-dir",
          "--disable-log-requests",
          "--disable-log-stats",
          "--enable-auto-tool-choice",
          "--tool-call-parser",
          "--reasoning-parser",
          "--chat-template",
          "--seed",
          "--tokenizer",
          "--uvicorn-log-level",
          "--no-enable-log-requests");

  private static final Flags FLAGS =
      new Flags("vllm serve", IGNORED)
          .valued("--model", VllmServe::model)
          .whole("--tensor-parallel-size -tp", "pool.tensorParallel")
          .whole("--pipeline-parallel-size -pp", "pool.pipelineParallel")
          .valued("--data-parallel-size -dp", VllmServe::dataParallel)
          .number("--gpu-memory-utilization", "pool.gpuMemoryUtilization")
          .whole("--block-size", "engine.blockSize")
          .whole("--num-gpu-blocks-override", "engine.kvBlocks")
          .valued("--max-num-batched-tokens", (c, v) -> tokens(c, "engine.maxBatchedTokens", v))
          .whole("--max-num-seqs", "engine.maxSequences")
          .valued("--max-model-len", (c, v) -> tokens(c, "engine.maxModelLength", v))
          .whole("--long-prefill-token-threshold", "engine.longPrefillTokenThreshold")
          .valued("--scheduling-policy", (c, v) -> c.put("engine.schedulingPolicy", v))
          .plain("--enable-prefix-caching", c -> c.put("engine.prefixCaching", true))
          .plain("--no-enable-prefix-caching", c -> c.put("engine.prefixCaching", false))
          .plain("--enable-chunked-prefill", c -> c.put("engine.chunkedPrefill", true))
          .plain("--no-enable-chunked-prefill", c -> c.put("engine.chunkedPrefill", false))
          .plain("--async-scheduling", c -> c.put("engine.asyncScheduling", true))
          .plain("--no-async-scheduling", c -> c.put("engine.asyncScheduling", false))
          .valued("--kv-cache-dtype", VllmServe::kvPrecision)
          .valued("--quantization -q", VllmServe::weightPrecision)
          .valued("--dtype", VllmServe::dtype);

  private VllmServe() {}

  /** Reads a command, from the word behind {@code serve} on. */
  static void read(List<String> words, int from, ImportedConfig config) {
    FLAGS.read(
        words,
        from,
        config,
        (c, word) -> {
          if (c.has("pool.model")) {
            c.note("vllm serve " + word + ": stands where nothing was expected, left out.");
          } else {
            model(c, word);
          }
        });
  }

  private static void model(ImportedConfig config, String name) {
    String bare = name.replaceFirst("(?i)-(fp8|nvfp4|fp4|mxfp4)$", "");
    Optional<ModelArchitecture> model = known(bare);
    if (model.isEmpty()) {
      config.note("vllm serve " + name + ": no such model here; give cluster.pools[0].model.");
      return;
    }
    config.put("pool.model", model.get().name());
    if (!config.has("pool.precision.weights") && bare.length() < name.length()) {
      String suffix = name.substring(bare.length() + 1).toLowerCase(Locale.ROOT);
      config.put("pool.precision.weights", suffix.equals("fp4") ? "nvfp4" : suffix);
    }
  }

  /** By name, alias, or the name under which anybody published it. */
  private static Optional<ModelArchitecture> known(String name) {
    Catalog catalog = Catalog.bundled();
    try {
      return Optional.of(catalog.model(name));
    } catch (IllegalArgumentException e) {
      String last = name.substring(name.lastIndexOf('/') + 1);
      return catalog.modelNames().stream()
          .map(catalog::model)
          .filter(model -> model.publishedAs().endsWith("/" + last))
          .findFirst();
    }
  }

  private static void dataParallel(ImportedConfig config, String value) {
    if (value.matches("\\d{1,5}")) {
      config.put("pool.workers", Long.parseLong(value));
      config.note(
          "vllm serve --data-parallel-size "
              + value
              + ": taken as so many workers of their own, each behind the router.");
    } else {
      config.note("vllm serve --data-parallel-size: found " + value + ", expected a whole number.");
    }
  }

  /** Numbers of tokens may be written as 8k or 8K: thousands, or 1,024s. */
  private static void tokens(ImportedConfig config, String key, String value) {
    if (value.matches("\\d{1,12}")) {
      config.put(key, Long.parseLong(value));
    } else if (value.matches("\\d{1,6}[kK]")) {
      long number = Long.parseLong(value.substring(0, value.length() - 1));
      config.put(key, number * (value.endsWith("K") ? 1024 : 1000));
    } else if (value.equals("auto") || value.equals("-1")) {
      config.put(key, "auto");
    } else {
      config.note("vllm serve: found " + value + " for " + key + ", expected tokens.");
    }
  }

  private static void kvPrecision(ImportedConfig config, String value) {
    switch (value) {
      case "fp8", "fp8_e4m3", "fp8_e5m2" -> config.put("pool.precision.kv", "fp8");
      case "bfloat16", "float16" -> config.put("pool.precision.kv", "bf16");
      case "auto" -> {}
      default -> config.note("vllm serve --kv-cache-dtype " + value + ": unknown, left out.");
    }
  }

  private static void weightPrecision(ImportedConfig config, String value) {
    switch (value) {
      case "fp8", "compressed-tensors-fp8" -> config.put("pool.precision.weights", "fp8");
      case "modelopt_fp4", "nvfp4" -> config.put("pool.precision.weights", "nvfp4");
      case "mxfp4" -> config.put("pool.precision.weights", "mxfp4");
      default ->
          config.note(
              "vllm serve --quantization "
                  + value
                  + ": no such precision here, left out; give cluster.pools[0].precision.weights.");
    }
  }

  private static void dtype(ImportedConfig config, String value) {
    if (!Set.of("auto", "bfloat16", "float16", "half").contains(value)) {
      config.note("vllm serve --dtype " + value + ": no such precision here, left out.");
    }
  }
}
