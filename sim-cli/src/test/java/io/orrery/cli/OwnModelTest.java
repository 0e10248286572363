package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that a file describes is another model when the file is another, whatever its name. */
class OwnModelTest {
  @TempDir Path folder;
  private Path scenario;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    model(2);
    scenario =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            trace: {files: small.jsonl, blockSize: 64}
            cluster: {pools: [{name: main, model: ./model.json, gpu: h200, tensorParallel: 1}]}
            engine: {blockSize: 64, kvBlocks: 400}
            sweep: {grid: {routing.policy: [random, least-loaded]}}
            """);
  }

  private void model(int layers) throws IOException {
    Files.writeString(
        folder.resolve("model.json"),
        """
        {"model_type": "llama", "num_hidden_layers": LAYERS, "hidden_size": 64,
         "num_attention_heads": 4, "intermediate_size": 128,
         "vocab_size": 1000, "max_position_embeddings": 65536}
        """
            .replace("LAYERS", Integer.toString(layers)));
  }

  private Outcome run(String command, String... more) {
    String[] words = new String[more.length + 2];
    words[0] = command;
    words[1] = scenario.toString();
    System.arraycopy(more, 0, words, 2, more.length);
    return Orrery.run(words);
  }

  @Test
  void itsSweepRunsAgain() throws IOException {
    String output = folder.resolve("out").toString();
    run("sweep", "-o", output).succeeded();
    assertThat(run("sweep", "-o", output).succeeded().err()).contains("2 of them finished before");
    model(3);
    assertThat(run("sweep", "-o", output).succeeded().err())
        .contains("2 points, in ")
        .doesNotContain("finished before");
  }

  @Test
  void itsBaselineIsRefused() throws IOException {
    String baseline = folder.resolve("own.baseline.json").toString();
    run("check", "--baseline", baseline, "--update-baseline").succeeded();
    run("check", "--baseline", baseline).succeeded();
    model(3);
    Outcome other = run("check", "--baseline", baseline);
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err()).contains("other measured tables, or another model file");
  }
}
