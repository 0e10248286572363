package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  @TempDir Path folder;
  private String scenario;
  private String baseline;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    scenario =
        file(
            "two.yaml",
            """
            trace: {files: small.jsonl, blockSize: 64}
            cluster: {pools: [{workers: 3}]}
            engine: {blockSize: 64, kvBlocks: 400}
            variants:
              - {name: affinity, set: {routing.policy: session-affinity}}
              - {name: luck, set: {routing.policy: random}}
            """);
    baseline = folder.resolve("two.baseline.json").toString();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private void update() {
    Orrery.run("check", scenario, "--baseline", baseline, "--update-baseline").succeeded();
  }

  @Test
  void anUnchangedRunPassesAllGates() {
    update();
    Outcome outcome = Orrery.run("check", scenario, "--baseline", baseline).succeeded();
    assertThat(outcome.out()).isEqualTo("passed: 16 gates\n");
  }

  @Test
  void aBaselineIsSmallSortedAndTheSameEveryTime() throws IOException {
    update();
    String first = Files.readString(Path.of(baseline));
    update();
    assertThat(Files.readString(Path.of(baseline))).isEqualTo(first);
    assertThat(first.lines().count()).isLessThan(800);
    assertThat(first.indexOf("\"e2e_ms.max\"")).isLessThan(first.indexOf("\"ttft_ms.max\""));
  }

  @Test
  void aNumberThatGotWorseFails() throws IOException {
    update();
    String worse =
        Files.readString(Path.of(baseline))
            .replaceAll("\"ttft_ms.p95\": [0-9.]+", "\"ttft_ms.p95\": 1");
    Files.writeString(Path.of(baseline), worse);
    Path junit = folder.resolve("junit.xml");
    Outcome outcome =
        Orrery.run("check", scenario, "--baseline", baseline, "--junit", junit.toString());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out())
        .startsWith("FAIL ")
        .contains("ttft_ms.p95 <= baseline + 5 %", "baseline 1,")
        .endsWith("failed: 2 of 16 gates, worst ttft_ms.p95 of luck\n");
    assertThat(Files.readString(junit)).contains("failures=\"2\"");
  }

  @Test
  void gatesOfAFileMayStandAlone() throws IOException {
    String gates =
        file(
            "gates.yaml",
            """
            gates:
              - fail: ttft_ms.p99 <= 1
                variants: [affinity]
              - warn: hit_rate.tokens >= 99.99 %
            """);
    Outcome outcome = Orrery.run("check", scenario, "--gates", gates, "--annotations");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out())
        .contains("::error file=" + gates.replace(":", "%3A") + ",line=2::FAIL")
        .contains("WARN    luck: hit_rate.tokens >= 99.99 %")
        .contains("failed: 1 of 3 gates, worst ttft_ms.p99 of affinity; 2 warned");
  }

  @Test
  void aBaselineOfSomethingElseIsRefusedWithWhatDiffers() {
    update();
    Outcome outcome =
        Orrery.run(
            "check", scenario, "--baseline", baseline, "--set", "cluster.pools[0].workers=2");
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("is the baseline of something else", "--update-baseline")
        .contains("affinity: cluster.pools[0].workers is 2, not 3");
  }

  @Test
  void anIntendedChangeIsShownWhenItBecomesTheBaseline() {
    update();
    Outcome outcome =
        Orrery.run(
                "check",
                scenario,
                "--baseline",
                baseline,
                "--update-baseline",
                "--set",
                "cluster.pools[0].workers=1")
            .succeeded();
    assertThat(outcome.out())
        .contains("affinity: cluster.pools[0].workers is 1, not 3")
        .contains("affinity now against affinity before", "ttft_ms.p95");
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    assertThat(Orrery.run("check", scenario).err()).contains("--baseline: found nothing");
    Outcome future =
        Orrery.run(
            "check",
            scenario,
            "--baseline",
            file("future.json", "{\"kind\": \"orrery-baseline\", \"schemaVersion\": 2}"));
    assertThat(future.status()).isEqualTo(2);
    assertThat(future.err()).contains("future.json", "a later version of the program wrote it");
    String gates =
        file(
            "bad.yaml",
            """
            gates:
              - fail: ttft_ms.p96 <= 1
              - fail: ttft_ms.p95 = 1
              - {fail: preemptions <= 0, variants: [afinity]}
              - {warn: preemptions <= 0, fail: ttft_ms.p95 <= 1}
              - {fial: preemptions <= 0}
            """);
    Outcome bad = Orrery.run("check", scenario, "--gates", gates);
    assertThat(bad.status()).isEqualTo(2);
    assertThat(bad.err())
        .contains("bad.yaml:2: gates.fail: found ttft_ms.p96", "did you mean ttft_ms.p9")
        .contains("bad.yaml:3: gates.fail: found \"ttft_ms.p95 = 1\", expected KEY, one of <=")
        .contains("bad.yaml:4: gates.variants: found afinity, expected one of affinity, luck")
        .contains("bad.yaml:5: gates: found ttft_ms.p95 and preemptions")
        .contains("bad.yaml:6: gates: found key fial, expected one of fail, warn, variants");
  }
}
