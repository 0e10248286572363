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
    assertThat(first.lines().count()).isLessThan(600);
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
        .endsWith(
            "failed: 2 of 16 gates, worst ttft_ms.p95 of luck; 2 numbers are not as in the"
                + " baseline\n");
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
  void everyGateThatMakesNoSenseIsNamedAtOnce() throws IOException {
    String gates =
        file(
            "gates.yaml",
            """
            gates:
              - fail: ttft_ms.p95 <= NaN
              - variants: [luck]
              - fail: preemptions <= 0
              - fail: preemptions <= 0.0
              - fail: preemptions <= 0e3
            """);
    Outcome outcome = Orrery.run("check", scenario, "--gates", gates);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err().lines().map(line -> line.replace(gates, "gates.yaml")))
        .satisfiesExactly(
            line ->
                assertThat(line).contains("gates.yaml:2: gates.fail: found \"ttft_ms.p95 <= NaN"),
            line ->
                assertThat(line)
                    .contains("gates.yaml:3: gates: found a mapping, expected fail, warn or both"),
            line ->
                assertThat(line).contains("gates.yaml:5: gates: found the gate of line 4 again"),
            line ->
                assertThat(line).contains("gates.yaml:6: gates: found the gate of line 4 again"));
    assertThat(Orrery.run("check", scenario, "--gates", gates + ".no").err())
        .contains("gates.yaml.no: found no such file, expected gates in YAML");
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

  private void refused(String gates, String... messages) throws IOException {
    Outcome outcome = Orrery.run("check", scenario, "--gates", file("bad.yaml", gates));
    assertThat(outcome.status()).as(gates).isEqualTo(2);
    assertThat(outcome.err()).contains(messages);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void absurdGatesAreRefusedWithTheirLine() throws IOException {
    refused("", "bad.yaml: found an empty document");
    refused(
        "- fail: preemptions <= 0\n", "bad.yaml:1: gates: found a list, expected the key gates");
    refused("gates: []\n", "bad.yaml:1: gates: found an empty list, expected the key gates");
    refused("gates: {fail: preemptions <= 0}\n", "bad.yaml:1: gates: found");
    refused("gates:\n  - 3\n", "bad.yaml:2: gates: found 3, expected a mapping");
    refused("gates:\n  - {}\n", "bad.yaml:2: gates: found", "expected fail, warn or both");
    refused("gates:\n  - fail: [a, b]\n", "bad.yaml:2: gates.fail: found a list");
    refused("gates:\n\t- fail\n", "bad.yaml:2: ");
    refused("gates:\n  - {fail: preemptions <= 0\n", "bad.yaml:");
    refused("gates:\n  - fail: preemptions <= 0\n    fail: preemptions <= 1\n", "bad.yaml:3: ");
    for (String limit : new String[] {"NaN", ".inf", "-Infinity", "1e999", "0x1p3", "٣", "1,5"}) {
      refused(
          "gates:\n  - warn: preemptions <= 1\n  - fail: preemptions <= " + limit + "\n",
          "bad.yaml:3: gates.fail: found");
    }
  }

  @Test
  void aGateThatIsThereTwiceIsRefused() throws IOException {
    refused(
        """
        gates:
          - fail: preemptions <= 0
          - {fail: preemptions <= 0, variants: [luck]}
        """,
        "bad.yaml:3: gates: found the gate of line 2 again, expected each gate once");
    refused(
        """
        gates:
          - {fail: preemptions <= 0, warn: preemptions < 1e1, variants: [luck, affinity]}
          - {warn: preemptions<10, fail: preemptions <=0.0, variants: luck}
        """,
        "bad.yaml:3: gates: found the gate of line 2 again");
    refused(
        "gates:\n  - {fail: preemptions <= 0, variants: []}\n",
        "bad.yaml:2: gates.variants: found none, expected at least one");
    String apart =
        """
        gates:
          - {fail: preemptions <= 0, variants: [luck]}
          - {fail: preemptions <= 0, variants: [affinity]}
        """;
    Orrery.run("check", scenario, "--gates", file("apart.yaml", apart)).succeeded();
  }

  /** There is no speculation in the run, so nothing can be said of it. */
  @Test
  void aNumberThatTheRunDoesNotHaveIsUnknownAndNeverPasses() throws IOException {
    for (String level : new String[] {"warn", "fail"}) {
      String gates = file("absent.yaml", "gates:\n  - " + level + ": observed.e2e_error <= 100\n");
      Outcome outcome = Orrery.run("check", scenario, "--gates", gates);
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.out())
          .contains("UNKNOWN affinity: observed.e2e_error <= 100 (the run has no such number)");
    }
  }

  @Test
  void oneFileCannotBeTwoThings() {
    Outcome outcome = Orrery.run("check", scenario, "--baseline", baseline, "--junit", baseline);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("--junit: found", "which is the file of --baseline, too");
  }

  @Test
  void annotationsStayOutOfTheJsonDocument() throws IOException {
    String gates = file("g.yaml", "gates:\n  - fail: ttft_ms.p99 <= 1\n");
    Outcome outcome = Orrery.run("check", scenario, "--gates", gates, "--annotations", "--json");
    assertThat(outcome.out()).startsWith("{").contains("\"passed\": false");
    assertThat(outcome.err()).contains("::error file=");
    update();
    assertThat(Orrery.run("check", scenario, "--baseline", baseline, "--annotations").out())
        .isEqualTo("passed: 16 gates\n");
  }

  @Test
  void anUnreadableBaselineIsReplacedOnlyIfItIsOne() throws IOException {
    update();
    String good = Files.readString(Path.of(baseline));
    Files.writeString(Path.of(baseline), good.substring(0, good.length() / 2));
    assertThat(Orrery.run("check", scenario, "--baseline", baseline).err())
        .contains("two.baseline.json: found no JSON in line ");
    Outcome renewed =
        Orrery.run("check", scenario, "--baseline", baseline, "--update-baseline").succeeded();
    assertThat(renewed.err()).contains("a new baseline takes its place");
    assertThat(Files.readString(Path.of(baseline))).isEqualTo(good);
    Outcome other = Orrery.run("check", scenario, "--baseline", scenario, "--update-baseline");
    assertThat(other.status()).isEqualTo(2);
    assertThat(Files.readString(Path.of(scenario))).startsWith("trace:");
    Files.write(Path.of(baseline), new byte[] {(byte) 0xC3, 0x28});
    assertThat(Orrery.run("check", scenario, "--baseline", baseline).err())
        .contains("found no text in UTF-8");
    assertThat(Orrery.run("check", scenario, "--baseline", folder.toString()).status())
        .isEqualTo(2);
  }

  @Test
  void meansOverSeedsAreHeldAgainstMeansOverAsMany() {
    Orrery.run("check", scenario, "--baseline", baseline, "--seeds", "2", "--update-baseline")
        .succeeded();
    assertThat(Orrery.run("check", scenario, "--baseline", baseline).err())
        .contains("seeds: found 1, the baseline has 2");
    Orrery.run("check", scenario, "--baseline", baseline, "--seeds", "2").succeeded();
  }
}
