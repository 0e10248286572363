package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands other than run. */
class CommandsTest {
  @TempDir Path folder;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    Path file = folder.resolve("two.yaml");
    Files.writeString(
        file,
        """
        trace: {files: small.jsonl, blockSize: 64}
        engine: {blockSize: 64}
        variants:
          - {name: one}
          - {name: two, set: {cluster.pools.main.workers: 2}}
        """);
    scenario = file.toString();
  }

  @Test
  void validateSaysWhatWouldBeRun() {
    Outcome outcome = Orrery.run("validate", scenario).succeeded();

    assertThat(outcome.out())
        .isEqualTo(
            "two: small.jsonl (mooncake), 40 requests in 10 sessions on 2 clusters\n"
                    .replace("\n", System.lineSeparator())
                + "valid: 2 variants"
                + System.lineSeparator());
    assertThat(outcome.err()).contains("Dispatch is closed-loop");
  }

  @Test
  void validateRefusesWhatRunRefuses() throws IOException {
    assertThat(Orrery.run("validate", scenario, "--set", "engine.blockSize=7").status())
        .isEqualTo(2);
    assertThat(Orrery.run("validate", scenario, "--trace", "nowhere.jsonl").status()).isEqualTo(3);
    assertThat(Orrery.run("validate").status()).isEqualTo(2);
  }

  @Test
  void configShowsEveryDefault() {
    String defaults = Orrery.run("config").succeeded().out();

    assertThat(defaults)
        .contains("routing:\n", "policy: round-robin")
        .contains("# Routing policy, by its name.");
    assertThat(Orrery.run("config", scenario).status()).isEqualTo(2);
  }

  @Test
  void configShowsWhatHoldsWithoutAScenario() {
    String config =
        Orrery.run("config", "--effective", "--set", "engine.blockSize=64").succeeded().out();

    assertThat(config)
        .contains("policy: round-robin  # default\n")
        .contains("maxSequences: 1024  # preset vllm-2026-07\n")
        .contains("blockSize: 64  # --set\n")
        .doesNotContain("files:");
  }

  @Test
  void configShowsEachValuesOrigin() {
    String config =
        Orrery.run("config", "--effective", scenario, "--seed", "5", "--set", "slo.ttft=1 s")
            .succeeded()
            .out();

    assertThat(config)
        .startsWith("# one\n")
        .contains("---\n# two\n")
        .contains("blockSize: 64  # " + scenario + ":2\n")
        .contains("workers: 1  # default\n")
        .contains("workers: 2  # variant two (" + scenario + ":5)\n")
        .contains("maxSequences: 1024  # preset vllm-2026-07\n")
        .contains("ttft: 1 s  # --set\n")
        .contains("seed: 5  # --seed\n");
  }

  /** The smallest recording: a scenario of one request, of which the schedule is made up. */
  @Test
  void conformanceSaysWhereARecordingDiffers() throws IOException {
    Path data = Path.of(System.getProperty("orrery.data", "no-such-folder")).resolve("golden");
    assumeTrue(
        Files.isDirectory(data), "skipped: recordings of vLLM's scheduler (-Dorrery.data=DIR)");
    String may = data.resolve("vllm-main-20260525-6f955986e.jsonl.gz").toString();
    String july = data.resolve("vllm-main-20260725-7a6a5b366.jsonl.gz").toString();

    JsonNode result = Orrery.run("conformance", may, july, "--json").json();
    assertThat(result.get("scenarios").intValue()).isEqualTo(250);
    assertThat(result.get("equal").intValue()).isEqualTo(250);
    assertThat(result.get("steps").longValue()).isGreaterThan(10_000);
    assertThat(result.get("first_difference").isNull()).isTrue();

    // One scenario, plain, with its first number of free blocks changed.
    String line;
    try (var lines =
        new java.io.BufferedReader(
            new java.io.InputStreamReader(
                new java.util.zip.GZIPInputStream(Files.newInputStream(Path.of(july))),
                java.nio.charset.StandardCharsets.UTF_8))) {
      line = lines.readLine();
    }
    Path changed = folder.resolve("changed.jsonl");
    Files.writeString(changed, line.replaceFirst("\"free\": ?(\\d)", "\"free\": 9$1") + "\n");
    Outcome outcome = Orrery.run("conformance", changed.toString());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out())
        .contains("0 of 1 recorded scenarios agree", "first difference: " + changed + ":1: ");
  }

  @Test
  void conformanceRefusesWhatIsNoRecording() throws IOException {
    for (String text : new String[] {"", "hello\n", "{}\n", "\u001f\u008b"}) {
      Path file = folder.resolve("r.jsonl");
      Files.write(file, text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));

      Outcome outcome = Orrery.run("conformance", file.toString());

      assertThat(outcome.status()).as(text).isEqualTo(3);
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err()).startsWith("orrery: " + file + ":").hasLineCount(1);
    }
    assertThat(Orrery.run("conformance", folder.resolve("no").toString()).status()).isEqualTo(3);
    assertThat(Orrery.run("conformance").status()).isEqualTo(2);
  }
}
