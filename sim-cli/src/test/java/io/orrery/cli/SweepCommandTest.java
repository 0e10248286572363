package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
  @TempDir Path folder;
  private String scenario;
  private String output;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    output = folder.resolve("out").toString();
    scenario =
        file(
            "small.yaml",
            """
            trace: {files: small.jsonl, blockSize: 64}
            engine: {blockSize: 64, kvBlocks: 100}
            sweep:
              grid:
                routing.policy: [random, session-affinity]
                cluster.pools[0].workers: [1, 2, 3]
              seeds: 2
            """);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(output))) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private String read(String name) throws IOException {
    return Files.readString(Path.of(output, name));
  }

  @Test
  void aSweepIsATableAndAFolder() throws IOException {
    Outcome outcome = Orrery.run("sweep", scenario, "-o", output).succeeded();
    assertThat(outcome.out())
        .contains("policy=random workers=1 ", "policy=session-affinity workers=3 ")
        .contains("TTFT p95", "front: no other point");
    assertThat(outcome.err()).contains("12 points, in ");
    assertThat(names())
        .contains(
            "points.jsonl",
            "points.parquet",
            "report.html",
            "report.json",
            "report.md",
            "summary.json")
        .doesNotContain("points.jsonl.partial");
    assertThat(read("report.md")).contains("Pareto front", "Main effects", "within the SLO");
    assertThat(Orrery.run("sweep", scenario, "--json").succeeded().out())
        .isEqualTo(read("summary.json"));
  }

  @Test
  void thePointsCanBeListed() {
    assertThat(Orrery.run("sweep", scenario, "--list").succeeded().out())
        .startsWith("policy=random workers=1 seed=1\npolicy=random workers=1 seed=2\n")
        .hasLineCount(12);
  }

  /** The same path does not make the same tables, and another path does not make others. */
  @Test
  void pointsOnMeasuredTablesAreKnownByWhatTheTablesHold() throws IOException {
    Path perf = Path.of(System.getProperty("orrery.data", "none"), "perf/systems/data/h100_sxm");
    assumeTrue(Files.isDirectory(perf), "skipped: no -Dorrery.data");
    Path tables = folder.resolve("tables");
    try (Stream<Path> files = Files.walk(perf)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = tables.resolve("data/h100_sxm").resolve(perf.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    String one =
        file(
            "tables.yaml",
            """
            trace: {files: small.jsonl, blockSize: 64}
            cluster: {pools: [{gpu: h100, model: llama-3.1-8b}]}
            engine: {blockSize: 64, kvBlocks: 100}
            sweep: {grid: {seed: [1, 2]}}
            """);
    String[] words = {"sweep", one, "-o", output, "--perf-data", tables.toString()};
    Orrery.run(words).succeeded();
    assertThat(Orrery.run(words).succeeded().err()).contains("2 points, 2 of them finished before");

    Files.writeString(tables.resolve("data/h100_sxm/measured-again.txt"), "newer clocks");
    assertThat(Orrery.run(words).succeeded().err()).doesNotContain("finished before");
  }

  @Test
  void aFinishedSweepIsNotRunAgainAndAnExtendedOneOnlyWhereItIsNew() throws IOException {
    Orrery.run("sweep", scenario, "-o", output).succeeded();
    String summary = read("summary.json");
    String points = read("points.jsonl");
    Outcome again = Orrery.run("sweep", scenario, "-o", output).succeeded();
    assertThat(again.err()).contains("12 points, 12 of them finished before");
    assertThat(read("summary.json")).isEqualTo(summary);
    assertThat(read("points.jsonl")).isEqualTo(points);
    Files.writeString(
        Path.of(scenario),
        Files.readString(Path.of(scenario)).replace("[1, 2, 3]", "[1, 2, 3, 4]"));
    assertThat(Orrery.run("sweep", scenario, "-o", output).succeeded().err())
        .contains("16 points, 12 of them finished before");
  }

  /** Every file of the folder, but for what keeps others out. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> files = new TreeMap<>();
    Path root = Path.of(output);
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (!name.equals("sweep.lock")) {
          files.put(name, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        }
      }
    }
    return files;
  }

  @Test
  void killedAtAnyMomentItEndsWithTheSameBytes() throws Exception {
    Orrery.run("sweep", scenario, "-o", output, "--threads", "3").succeeded();
    Map<String, String> whole = everything();
    assertThat(whole).containsKeys("points.jsonl", "points.parquet", "charts/front.png");
    Random moments = new Random(5);
    for (int kill = 0; kill < 4; kill++) {
      output = folder.resolve("killed-" + kill).toString();
      Process process = OrreryProcess.start("sweep", scenario, "-o", output, "--threads", "1");
      // Once the first point is there, at some moment of what follows.
      Path journal = Path.of(output, "points.jsonl");
      while (process.isAlive() && (!Files.exists(journal) || Files.size(journal) == 0)) {
        process.waitFor(1, TimeUnit.MILLISECONDS);
      }
      process.waitFor(moments.nextInt(60), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      Orrery.run("sweep", scenario, "-o", output).succeeded();
      Map<String, String> continued = everything();
      assertThat(continued.keySet()).isEqualTo(whole.keySet());
      whole.forEach(
          (name, bytes) -> assertThat(bytes.equals(continued.get(name))).as(name).isTrue());
    }
  }

  @Test
  void aSecondProcessIsRefusedWhileTheFirstIsAtWork() throws Exception {
    String slow =
        file("slow.yaml", Files.readString(Path.of(scenario)).replace("seeds: 2", "seeds: 2000"));
    Process first = OrreryProcess.start("sweep", slow, "-o", output, "--threads", "1");
    try {
      Path journal = Path.of(output, "points.jsonl");
      while (first.isAlive() && (!Files.exists(journal) || Files.size(journal) == 0)) {
        first.waitFor(5, TimeUnit.MILLISECONDS);
      }
      Outcome second = Orrery.run("sweep", scenario, "-o", output);
      assertThat(first.isAlive()).isTrue();
      assertThat(second.status()).isEqualTo(2);
      assertThat(second.err()).contains("another sweep is writing into it");
      assertThat(Orrery.run("plan", scenario, "-o", output).status()).isEqualTo(2);
    } finally {
      first.destroyForcibly().waitFor();
    }
    // Its lock dies with it, and what it finished is still there.
    assertThat(Orrery.run("sweep", scenario, "-o", output).succeeded().err()).contains("12 points");
  }

  @Test
  void twoSweepsCannotShareAFolder() throws IOException {
    Files.createDirectories(Path.of(output));
    try (FileChannel other =
        FileChannel.open(
            Path.of(output, "sweep.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      other.lock();
      Outcome outcome = Orrery.run("sweep", scenario, "-o", output);
      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err()).contains("another sweep is writing into it");
    }
    Orrery.run("sweep", scenario, "-o", output).succeeded();
  }

  @Test
  void aFolderThatCannotBeUsedIsRefusedBeforeAnythingRuns() throws IOException {
    Files.createDirectories(Path.of(output, "points.jsonl"));
    Outcome unreadable = Orrery.run("sweep", scenario, "-o", output);
    assertThat(unreadable.status()).isEqualTo(2);
    assertThat(unreadable.err()).contains("-o " + output + ": cannot be used (");
    Outcome other = Orrery.run("sweep", scenario, "-o", folder.toString());
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err()).contains("which is none of our reports");
    assertThat(Orrery.run("sweep", scenario, "-o", scenario).status()).isEqualTo(2);
  }

  @Test
  void pointsThatFailAreNamedAndDoNotEndTheSweep() throws IOException {
    String bad =
        file(
            "bad.yaml",
            """
            trace: {files: small.jsonl, blockSize: 64}
            engine: {blockSize: 64}
            sweep: {grid: {cluster.pools.main.gpu: [b200, abacus]}}
            """);
    Outcome outcome = Orrery.run("sweep", bad, "-o", output).succeeded();
    assertThat(outcome.err())
        .contains("Failed: gpu=abacus: ", "bad.yaml:3: cluster.pools[0].gpu: found abacus")
        .contains("2 points, 1 failed");
    assertThat(read("summary.json")).contains("\"failure\": ");
    Outcome fast = Orrery.run("sweep", bad, "--fail-fast");
    assertThat(fast.status()).isEqualTo(2);
    assertThat(fast.err()).contains("found abacus");
  }

  /** There is no table of nothing. */
  @Test
  void aSweepWithoutAFinishedPointSaysSo() throws IOException {
    String bad =
        file(
            "bad.yaml",
            """
            trace: {files: small.jsonl, blockSize: 64}
            engine: {blockSize: 64}
            sweep: {grid: {cluster.pools.main.gpu: [abacus, quipu], seed: [1, 2]}}
            """);
    Outcome outcome = Orrery.run("sweep", bad, "-o", output);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out().replaceAll("\\s+", " "))
        .startsWith(
            "No point finished: all 4 failed, the first of them, gpu=abacus seed=1, because of")
        .contains("found abacus")
        .doesNotContain("front");
    assertThat(outcome.err()).contains("4 points, 4 failed");
    assertThat(read("report.md")).contains("No point finished", "Failed").doesNotContain("Pareto");
    assertThat(read("report.html")).contains("No point finished");
  }

  @Test
  void mistakesInASweepAreNamedWithTheirLine() throws IOException {
    String bad = file("bad.yaml", "trace: {files: small.jsonl}\nsweep: {grid: {seeed: [1]}}\n");
    Outcome outcome = Orrery.run("sweep", bad);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("bad.yaml:2: seeed: found an unknown key");
    assertThat(Orrery.run("sweep").err()).contains("sweep: found no SCENARIO");
    assertThat(Orrery.run("sweep", scenario, "--threads", "0").status()).isEqualTo(2);
    assertThat(Orrery.run("sweep", scenario, "--set", "sweep=3").err())
        .contains("found an override of sweep");
  }
}
