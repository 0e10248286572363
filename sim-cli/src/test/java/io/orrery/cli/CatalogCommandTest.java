package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogCommandTest {
  @Test
  void gpusAreListedWithWhatIsAssumedMarked() {
    String out = Orrery.run("catalog", "gpus").succeeded().out();

    assertThat(out)
        .contains("b200            178.3  7.67    2250   4500   9000   900   1000  2.90  B200")
        .contains("\nh20-3e *  ")
        .contains("* some of it is assumed or never measured: orrery catalog gpus NAME");
    assertThat(out.lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void oneGpuShowsEveryFactAndItsSource() {
    String out = Orrery.run("catalog", "gpus", "h20-3e").succeeded().out();

    assertThat(out)
        .startsWith("h20-3e: NVIDIA H20-3e 141 GB\n")
        .contains(
            "  hbmBytesPerSecond  4.8E+12   low confidence: assumed, no primary source found\n")
        .contains("    as H200, which has the same HBM3e capacity\n")
        .contains("  tdpWatts  none\n    not found\n");
  }

  @Test
  void modelsAreListedWithTheirAliases() {
    String out = Orrery.run("catalog", "models").succeeded().out();

    assertThat(out)
        .contains("gpt-oss-120b                 116.79      5.71      36    73,728")
        .contains("18 full, 18 window")
        .contains("8 full, 40 state")
        .contains("deepseek-r1: deepseek-v3\n");
    assertThat(out.lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void documentsHoldEveryFact() throws IOException {
    JsonNode gpus = Orrery.run("catalog", "gpus", "--json").json();
    assertThat(gpus.get("schemaVersion").intValue()).isEqualTo(1);
    assertThat(gpus.get("gpus")).hasSize(8);
    for (JsonNode gpu : gpus.get("gpus")) {
      assertThat(gpu.get("facts")).hasSize(15).allMatch(fact -> fact.has("source"));
    }
    JsonNode model =
        Orrery.run("catalog", "models", "deepseek-r1", "--json").json().get("models").get(0);
    assertThat(model.get("name").textValue()).isEqualTo("deepseek-v3");
    assertThat(model.get("derived").get("totalParameters").longValue()).isEqualTo(671_026_279_424L);
    assertThat(model.get("facts").get("latentRank").get("value").intValue()).isEqualTo(512);
  }

  @Test
  void aConfigurationIsNamedByItsPath(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("tiny.json");
    Files.writeString(
        file,
        """
        {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
         "num_attention_heads": 4, "intermediate_size": 128,
         "vocab_size": 1000, "max_position_embeddings": 4096}
        """);
    assertThat(Orrery.run("catalog", "models", file.toString()).succeeded().out())
        .startsWith("tiny: " + file)
        .contains("  totalParameters  210");

    Files.writeString(file, "{\"model_type\": \"llama\",\n\"num_hidden_layers\": 0}");
    Outcome outcome = Orrery.run("catalog", "models", file.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith(
            "orrery: "
                + file
                + ":2: num_hidden_layers: found 0, expected a whole number from 1 up");
  }

  @Test
  void unknownNamesAreAnsweredWithNearOnes() {
    Outcome gpu = Orrery.run("catalog", "gpus", "h201");
    assertThat(gpu.status()).isEqualTo(2);
    assertThat(gpu.err()).contains("h201").contains("h200");
    Outcome model = Orrery.run("catalog", "models", "deepseek-r2");
    assertThat(model.status()).isEqualTo(2);
    assertThat(model.err()).contains("deepseek-r1");
    Outcome kind = Orrery.run("catalog", "model");
    assertThat(kind.status()).isEqualTo(2);
    assertThat(kind.err()).contains("catalog models");
    assertThat(Orrery.run("catalog").status()).isEqualTo(2);
  }
}
