package io.orrery.models.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.models.Catalog;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.models.WeightPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HuggingFaceConfigTest {
  private static final String LLAMA =
      """
      {
        "model_type": "llama",
        "num_hidden_layers": 2,
        "hidden_size": 64,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 128,
        "vocab_size": 1000,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": true,
        "rope_scaling": null,
        "time_step_limit": [0.0, Infinity]
      }
      """;

  @TempDir Path folder;

  private ModelArchitecture read(String json) throws IOException {
    Path file = folder.resolve("tiny").resolve("config.json");
    Files.createDirectories(folder.resolve("tiny"));
    Files.writeString(file, json);
    return HuggingFaceConfig.read(file);
  }

  /** The catalogue's models are what the publishers' own files say. */
  @ParameterizedTest
  @CsvSource({
    "meta-llama--Meta-Llama-3.1-8B_config.json, llama-3.1-8b, 131072",
    "meta-llama--Meta-Llama-3.1-70B_config.json, llama-3.1-70b, 131072",
    "Qwen--Qwen3-32B_config.json, qwen3-32b, 40960",
    // the coder reaches further
    "Qwen--Qwen3-30B-A3B_config.json, qwen3-coder-30b-a3b, 40960",
    "MiniMaxAI--MiniMax-M2.5_config.json, minimax-m2, 196608",
    "openai--gpt-oss-120b_config.json, gpt-oss-120b, 131072",
    "deepseek-ai--DeepSeek-V3_config.json, deepseek-v3, 163840",
    "deepseek-ai--DeepSeek-R1_config.json, deepseek-r1, 163840",
    "nvidia--NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4_config.json, nemotron-3-super, 262144",
  })
  void theCataloguesModelsAreThoseOfTheirFiles(String file, String name, int positions) {
    Path configs = Path.of(System.getProperty("orrery.data", "no-such-folder"));
    Path path = configs.resolve("perf").resolve("model_configs").resolve(file);
    assumeTrue(Files.exists(path), "skipped: published configurations (-Dorrery.data=DIR)");
    ModelArchitecture read = HuggingFaceConfig.read(path);
    ModelArchitecture known = Catalog.bundled().model(name);
    assertThat(read.plan()).isEqualTo(known.plan());
    assertThat(read.hiddenSize()).isEqualTo(known.hiddenSize());
    assertThat(read.attentionHeads()).isEqualTo(known.attentionHeads());
    assertThat(read.kvHeads()).isEqualTo(known.kvHeads());
    assertThat(read.headDim()).isEqualTo(known.headDim());
    assertThat(read.latent()).isEqualTo(known.latent());
    assertThat(read.states()).isEqualTo(known.states());
    assertThat(read.expertShape()).isEqualTo(known.expertShape());
    assertThat(read.gated()).isEqualTo(known.gated());
    assertThat(read.slidingWindow()).isEqualTo(known.slidingWindow());
    assertThat(read.draftLayers()).isEqualTo(known.draftLayers());
    assertThat(read.maxPositions()).isEqualTo(positions);
    assertThat(read.parameters().total()).isEqualTo(known.parameters().total());
    assertThat(read.parameters().active()).isEqualTo(known.parameters().active());
    assertThat(read.name()).isEqualTo(file.replace("_config.json", ""));
    if (!name.startsWith("nemotron")) { // its precision stands in a file beside it
      assertThat(read.nativeWeights()).isEqualTo(known.nativeWeights());
    }
  }

  @Test
  void aCheckpointSaysWhatItKeptInSixteenBits() {
    Path configs = Path.of(System.getProperty("orrery.data", "no-such-folder"));
    Path path =
        configs
            .resolve("perf")
            .resolve("model_configs")
            .resolve("nvidia--MiniMax-M2.5-NVFP4_config.json");
    assumeTrue(Files.exists(path), "skipped: published configurations (-Dorrery.data=DIR)");
    ModelArchitecture read = HuggingFaceConfig.read(path);
    assertThat(read.nativeWeights()).isEqualTo(Precision.NVFP4);
    assertThat(read.keptInSixteenBits()).containsExactly(WeightPart.ATTENTION);
  }

  @Test
  void fieldsHaveTheirLinesForSources() throws IOException {
    ModelArchitecture model = read(LLAMA);
    assertThat(model.name()).isEqualTo("tiny");
    assertThat(model.headDim()).isEqualTo(16);
    // 2 · (64·16·(8+4) + 3·64·128 + 2·64) + 64 + 1000·64
    assertThat(model.parameters().total()).isEqualTo(2 * (12_288 + 24_576 + 128) + 64 + 64_000);
    assertThat(model.nativeWeights()).isEqualTo(Precision.BF16);
    assertThat(model.sources().get("hiddenSize")).endsWith("config.json:4 hidden_size");
    assertThat(model.sources().get("headDim")).isEqualTo("default of the Transformers library");
  }

  @Test
  void windowsMixturesAndSharedExperts() throws IOException {
    ModelArchitecture gemma =
        read(LLAMA.replace("\"llama\"", "\"gemma3_text\", \"sliding_window\": 1024"));
    assertThat(gemma.slidingLayers()).isEqualTo(2); // every sixth layer is full
    ModelArchitecture mistral =
        read(LLAMA.replace("\"llama\"", "\"mistral\", \"sliding_window\": 8192"));
    assertThat(mistral.slidingLayers()).isZero(); // as wide as the context
    ModelArchitecture qwen =
        read(
            LLAMA.replace(
                "\"llama\"",
                "\"qwen2_moe\", \"decoder_sparse_step\": 2, \"num_experts\": 8,"
                    + " \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 32,"
                    + " \"shared_expert_intermediate_size\": 96"));
    assertThat(qwen.denseLayers()).isEqualTo(1);
    assertThat(qwen.expertLayers()).isEqualTo(1);
    assertThat(qwen.sharedIntermediate()).isEqualTo(96);
    ModelArchitecture hybrid =
        read(
            LLAMA.replace(
                "\"llama\"",
                "\"granitemoehybrid\", \"layer_types\": [\"mamba\", \"attention\"],"
                    + " \"mamba_n_heads\": 8, \"mamba_d_head\": 16, \"mamba_d_state\": 32,"
                    + " \"mamba_n_groups\": 1, \"mamba_d_conv\": 4"));
    assertThat(hybrid.stateLayers()).isEqualTo(1);
    assertThat(hybrid.attentionLayers()).isEqualTo(1);
    // 8 · 16 · 32 · 4 B and 3 · (128 + 64) · 2 B
    assertThat(hybrid.stateBytesPerSequence()).isEqualTo(16_384 + 1_152);
  }

  @Test
  void thePrecisionMayStandInAFileBeside() throws IOException {
    Files.createDirectories(folder.resolve("tiny"));
    Files.writeString(
        folder.resolve("tiny").resolve("hf_quant_config.json"),
        "{\"quantization\": {\"quant_algo\": \"NVFP4\"}}");
    assertThat(read(LLAMA).nativeWeights()).isEqualTo(Precision.NVFP4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"llama\" | \"lama\" | :2: model_type: found 'lama', expected one of llama, mistral, qwen2, qwen3, granite, phi3, olmo2, glm4, gemma2, gemma3_text, gemma3, mixtral, minimax_m2, gpt_oss, granitemoe, granitemoeshared, qwen2_moe, qwen3_moe, glm4_moe, deepseek_v2, deepseek_v3, kimi_k2, granitemoehybrid, nemotron_h (did you mean llama?)",
        "\"hidden_size\": 64 | \"hidden_size\": -64 | :4: hidden_size: found -64, expected a whole number from 1 to 1048576",
        "\"hidden_size\": 64 | \"hidden_size\": \"big\" | :4: hidden_size: found 'big', expected a whole number from 1 to 1048576",
        "\"hidden_size\": 64 | \"hidden_size\": 1e99 | :4: hidden_size: found 1E+99, expected a whole number from 1 to 1048576",
        "\"hidden_size\" | \"hidden_sise\" | : hidden_size: missing, expected a whole number from 1 to 1048576",
        "\"num_attention_heads\": 4 | \"num_attention_heads\": 5 | :5: num_attention_heads: found 5, expected a divisor of hidden_size 64",
        "\"num_key_value_heads\": 2 | \"num_key_value_heads\": 3 | :6: num_key_value_heads: found 3, expected a divisor of num_attention_heads 4",
        "\"num_key_value_heads\": 2 | \"num_key_value_heads\": 0 | :6: num_key_value_heads: found 0, expected a divisor of num_attention_heads 4",
        "\"rope_scaling\": null | \"head_dim\": 0 | :11: head_dim: found 0, expected a whole number from 1 to 16384",
        "\"intermediate_size\": 128 | \"intermediate_size\": 2147483647 | :7: intermediate_size: found 2147483647, expected a whole number from 1 to 1048576",
        "\"tie_word_embeddings\": true | \"tie_word_embeddings\": 1 | :10: tie_word_embeddings: found 1, expected true or false",
        "\"num_hidden_layers\": 2 | \"num_hidden_layers\": 99999 | :3: num_hidden_layers: found 99999, expected at most 10000",
        "\"rope_scaling\": null | \"quantization_config\": {\"quant_method\": \"awq\"} | :11: quantization_config.quant_method: found 'awq', expected fp8, mxfp4, or modelopt or compressed-tensors in FP8 or NVFP4",
        "\"rope_scaling\": null | \"layer_types\": [\"full_attention\"] | :11: layer_types: found [full_attention], expected 2 entries, one for each of num_hidden_layers, not 1",
        "\"rope_scaling\": null | \"layer_types\": [\"full_attention\", \"linear_attention\"] | :11: layer_types: found [full_attention, linear_attention], expected full_attention, sliding_attention, attention and mamba, not 'linear_attention'",
        "\"rope_scaling\": null | \"sliding_window\": 512 | : layer_types: missing, expected what each layer sees, as there is a sliding_window",
      })
  void whatIsWrongIsNamed(String from, String to, String message) {
    assertThatThrownBy(() -> read(LLAMA.replace(from, to)))
        .isInstanceOf(ModelConfigException.class)
        .hasMessage(folder.resolve("tiny").resolve("config.json") + message);
  }

  /** Sizes that are each in range, of a model whose bytes would overflow. */
  @Test
  void aModelBeyondAllBoundsIsRefused() {
    String huge =
        LLAMA
            .replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 10000")
            .replace("\"hidden_size\": 64", "\"hidden_size\": 1048576")
            .replace("\"intermediate_size\": 128", "\"intermediate_size\": 1048576");
    assertThatThrownBy(() -> read(huge))
        .isInstanceOf(ModelConfigException.class)
        .hasMessage(
            folder.resolve("tiny").resolve("config.json")
                + ": model tiny: 6.6e+16 parameters, expected at most 1e+14");
  }

  @Test
  void whatIsNoConfigurationIsNamed() throws IOException {
    Path file = folder.resolve("tiny").resolve("config.json");
    assertThatThrownBy(() -> read("[]"))
        .hasMessage(file + ":1: found START_ARRAY, expected a JSON object");
    assertThatThrownBy(() -> read("")).hasMessage(file + ":1: found null, expected a JSON object");
    assertThatThrownBy(() -> read("{\n\"a\": }")).hasMessageStartingWith(file + ":2: not JSON: ");
    assertThatThrownBy(() -> read("{} {}")).hasMessageContaining("text after the end");
    assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(ModelConfigException.class);
    assertThatThrownBy(() -> read("{\"a\": " + "[".repeat(100_000)))
        .isInstanceOf(ModelConfigException.class);
    assertThatThrownBy(() -> HuggingFaceConfig.read(folder.resolve("none.json")))
        .hasMessage(folder.resolve("none.json") + ": no such file, expected a config.json");
    assertThatThrownBy(() -> HuggingFaceConfig.read(folder))
        .hasMessage(folder + ": a folder, expected a config.json");
  }
}
