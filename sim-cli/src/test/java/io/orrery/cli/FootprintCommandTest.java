package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import io.orrery.models.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FootprintCommandTest {
  private static String table(String... args) {
    return Orrery.run(args).succeeded().out();
  }

  private static JsonNode document(String... args) {
    return Orrery.run(args).json();
  }

  /** The numbers are those of docs/step-time.md, worked by hand in MemoryFootprintTest. */
  @Test
  void precisionsStandSideBySide() {
    assertThat(table("footprint", "minimax-m2", "--gpu", "b200,h200", "--tp", "1,2"))
        .startsWith(
            "minimax-m2: 228.69 billion parameters, 11.03 active, published in fp8. vllm-2026-07,\n"
                + "gpu_memory_utilization 0.92, 8,192 batched tokens, 1,024 sequences. Sessions of"
                + " 65,536 tokens.\n")
        .contains(
            "TP weights                                  W GiB   K GiB       bf16 KV        fp8 KV"
                + "      nvfp4 KV\n")
        .contains(
            " 2 nvfp4   [WWWWWWWWWWaKKKKKKKKKKKKKKK..]    60.8    94.2 796,676    12  1.59 M    24"
                + "  2.83 M    43\n")
        .contains(
            " 1 fp8     [WWWWWWWWWWWWWWWWWWWWWWWWWWWW>   214.2  58.83 GiB missing, fits with TP 2\n")
        .contains("h200: NVIDIA H200 SXM 141 GB, 140.4 GiB\n")
        .contains("nvfp4 KV ?\n")
        .contains("4-bit weights on h200: stored in 4 bits, computed in 16.")
        .contains("? No engine has an NVFP4 KV cache on h200")
        .contains("stay 16-bit.");
  }

  @Test
  void everyLineFitsAndColourOnlyRepeats() {
    for (String model : Catalog.bundled().modelNames()) {
      String[] args = {"footprint", model, "--gpu", "b200,h20,gb200,rtx-4090", "--tp", "1,3,8"};
      String plain = table(args);
      assertThat(plain.lines()).as(model).allMatch(line -> line.length() <= 100);
      assertThat(plain).doesNotContain("\u001b");
      String[] coloured = {args[0], args[1], args[2], args[3], args[4], args[5], "--color=always"};
      assertThat(table(coloured)).contains("\u001b[34mW");
      assertThat(table(coloured).replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(plain);
    }
  }

  @Test
  void partsAddUpToTheGpuToTheByte() throws IOException {
    int fitting = 0;
    for (String model : Catalog.bundled().modelNames()) {
      for (String engine : Catalog.bundled().memoryRules().enginePresets()) {
        JsonNode footprints =
            document("footprint", model, "--json", "--engine", engine).get("footprints");
        for (JsonNode entry : footprints) {
          JsonNode gpu = entry.get("oneGpu");
          if (entry.get("fits").booleanValue()) {
            fitting++;
            assertThat(
                    gpu.get("weightBytes").longValue()
                        + gpu.get("activationBytes").longValue()
                        + gpu.get("reserveBytes").longValue()
                        + gpu.get("kvCacheBytes").longValue()
                        + gpu.get("unusedBytes").longValue())
                .isEqualTo(gpu.get("memoryBytes").longValue());
            assertThat(entry.get("tokens").longValue()).isPositive();
          } else if (gpu != null) {
            assertThat(entry.get("missingBytes").longValue()).isPositive();
            assertThat(entry.get("wouldFit").textValue()).contains("fits");
            assertThat(entry.get("sessions").longValue()).isZero();
          }
        }
      }
    }
    assertThat(fitting).isGreaterThan(2000);
  }

  @Test
  void theDocumentSaysWhatWasAsked() throws IOException {
    JsonNode root =
        document(
            "footprint",
            "deepseek-r1",
            "--gpu",
            "b200",
            "--tp",
            "8",
            "--weights",
            "nvfp4",
            "--kv",
            "fp8",
            "--ep",
            "8",
            "--attention-dp",
            "8",
            "--mtp",
            "1",
            "--context",
            "32768",
            "--json");
    assertThat(root.get("schemaVersion").intValue()).isEqualTo(1);
    assertThat(root.get("model").get("name").textValue()).isEqualTo("deepseek-v3");
    assertThat(root.get("sessionTokens").longValue()).isEqualTo(32_768);
    assertThat(root.get("draftLayers").intValue()).isEqualTo(1);
    JsonNode entry = root.get("footprints").get(0);
    // 62 layers of 576 B, on one rank
    assertThat(entry.get("kvBytesPerTokenAllGpus").longValue()).isEqualTo(35_712);
    long perRank = entry.get("oneGpu").get("kvCacheBytes").longValue() / 35_712;
    assertThat(entry.get("tokens").longValue()).isEqualTo(8 * perRank);
    assertThat(entry.get("sessions").longValue()).isEqualTo(8 * (perRank / 32_768));
  }

  @Test
  void hybridsSayWhereTheyResume() {
    assertThat(table("footprint", "nemotron-3-super", "--gpu", "b200", "--tp", "1"))
        .contains("40 of 88 layers keep one state per sequence, 170.2 MB in all")
        .contains("4,160, 8,320, 14,784 tokens");
    assertThat(table("footprint", "nemotron-3-super", "--gpu", "b200", "--no-prefix-caching"))
        .contains("Snapshots are not counted");
  }

  @Test
  void anyConfigurationMayBeAsked(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("config.json");
    Files.writeString(
        file,
        """
        {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
         "num_attention_heads": 4, "intermediate_size": 128,
         "vocab_size": 1000, "max_position_embeddings": 4096}
        """);
    assertThat(table("footprint", file.toString(), "--gpu", "h200", "--tp", "1"))
        .contains("Sessions of 4,096 tokens.");
    Outcome none = Orrery.run("footprint", folder.resolve("none.json").toString());
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("none.json: no such file, expected a config.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "minimax-m1 | minimax-m2",
        "minimax-m2 --gpu h201 | h200",
        "minimax-m2 --weights fp9 | fp8",
        "minimax-m2 --kv mxfp4 | nvfp4",
        "minimax-m2 --engine vllm | vllm-2026-07",
        "minimax-m2 --tp 0 | --tp: found 0, expected a whole number from 1 to 1024",
        "minimax-m2 --tp x | --tp",
        "minimax-m2 --mtp 4 | --mtp: found 4, expected a whole number from 0 to 3",
        "llama-3.1-8b --mtp 1 | --mtp: found 1, expected 0",
        "minimax-m2 --memory-share 1.5 | memory share: found 1.5, expected above 0, at most 1",
        "minimax-m2 --context 0 | --context: found 0",
        "minimax-m2 --gpu , | --gpu: found nothing, expected at least one",
        "minimax-m2 --tp , | --tp: found nothing, expected at least one",
        "minimax-m2 --tp 5 | minimax-m2 cannot be cut into tensorParallel 5 slices",
        "llama-3.1-8b --tp 2 --ep 2 | expertParallel 2: llama-3.1-8b has 0 experts",
      })
  void badInputIsNamed(String args, String message) {
    Outcome outcome = Orrery.run(("footprint " + args).split(" "));
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).startsWith("orrery: ").contains(message);
  }

  @Test
  void workersThatCannotBeBuiltSayWhy() {
    assertThat(table("footprint", "minimax-m2", "--gpu", "b200", "--tp", "4,5,16"))
        .contains(" 5 nvfp4   - minimax-m2 cannot be cut into tensorParallel 5 slices")
        .contains("16 nvfp4   - tensorParallel 16 exceeds the NVLink domain of b200, 8 GPUs");
  }
}
