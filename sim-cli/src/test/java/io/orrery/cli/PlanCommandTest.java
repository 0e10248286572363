package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
  private static final String BASE =
      """
      trace: {files: small.jsonl, blockSize: 64}
      cluster: {pools: [{workers: 1}]}
      engine: {blockSize: 64, kvBlocks: 200}
      """;

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String concurrency() throws IOException {
    return file(
        "plan.yaml",
        BASE
            + """
            plan:
              slo: {ttftP95: 60 ms, tokensPerSecondPerUser: 100}
              window: 20 s
              candidates:
                grid:
                  routing.policy: [random, session-affinity]
                  cluster.pools[0].workers: [1, 2]
            """);
  }

  @Test
  void theAnswerIsOneSentenceThenATableThenWhy() throws IOException {
    Outcome outcome = Orrery.run("plan", concurrency()).succeeded();
    assertThat(outcome.out().lines().findFirst().orElseThrow())
        .matches("policy=.* carries [0-9.]+ sessions per GPU \\([0-9]+ at once on [12] GPUs?\\).*");
    assertThat(outcome.out())
        .contains("gives way first", "policy=session-affinity workers=2 ")
        .contains("There, TTFT p95 ", "GPUs idle")
        .contains("Step times are known to about ±14.2 %")
        .contains(" after all has a", "hold in nine", " to spare)");
    assertThat(outcome.err()).contains(" trials in ");
  }

  @Test
  void theAnswerHoldsAndTheSizeBeyondItDoesNot() throws IOException {
    String json = Orrery.run("plan", concurrency(), "--json").succeeded().out();
    JsonNode plan = new ObjectMapper().readTree(json);
    JsonNode one = plan.path("candidates").get(0);
    long size = one.path("size").asLong();
    String at = "trace.lanes.count=" + size;
    String beyond = "trace.lanes.count=" + one.path("boundaries").get(0).path("above").asLong();
    assertThat(ttft(at)).isLessThanOrEqualTo(60);
    assertThat(ttft(beyond)).isGreaterThan(60);
    assertThat(plan.path("step_time_sigma").asDouble()).isBetween(0.132, 0.134);
  }

  /** The same by hand: what the plan does is what run does. */
  private double ttft(String lanes) throws IOException {
    String json =
        Orrery.run(
                "run",
                file("base.yaml", BASE),
                "--json",
                "--set",
                "routing.policy=random",
                "--set",
                "trace.dispatch=lanes",
                "--set",
                "trace.lanes.recycle=true",
                "--set",
                "limits.simulatedTime=20 s",
                "--set",
                lanes)
            .succeeded()
            .out();
    return new ObjectMapper().readTree(json).at("/runs/0/summary/ttft_ms/p95").asDouble();
  }

  @Test
  void theSameBytesWithAnyNumberOfThreadsAndFromKnownTrials() throws IOException {
    String scenario = concurrency();
    String one = Orrery.run("plan", scenario, "--threads", "1", "--json").succeeded().out();
    Path output = folder.resolve("out");
    Outcome first =
        Orrery.run("plan", scenario, "--threads", "3", "--json", "-o", output.toString())
            .succeeded();
    assertThat(first.out()).isEqualTo(one);
    assertThat(Files.readString(output.resolve("plan.json"))).isEqualTo(one);
    assertThat(Files.readString(output.resolve("report.md")))
        .contains("Sampled curves", "All trials");
    Outcome again = Orrery.run("plan", scenario, "--json", "-o", output.toString()).succeeded();
    assertThat(again.out()).isEqualTo(one);
    assertThat(again.err()).contains("0 trials in ");
  }

  @Test
  void killedAtAnyMomentItEndsWithTheSameBytes() throws Exception {
    String scenario =
        file(
            "short.yaml",
            BASE
                + "plan: {slo: {ttftP95: 60 ms}, window: 5 s, tolerance: 0.5, candidates: {grid:"
                + " {routing.policy: [random, session-affinity]}}}\n");
    String whole = Orrery.run("plan", scenario, "--json").succeeded().out();
    Random moments = new Random(11);
    for (int kill = 0; kill < 3; kill++) {
      Path output = folder.resolve("killed-" + kill);
      Process process =
          OrreryProcess.start("plan", scenario, "-o", output.toString(), "--threads", "2");
      Path journal = output.resolve("points.jsonl");
      while (process.isAlive() && (!Files.exists(journal) || Files.size(journal) == 0)) {
        process.waitFor(1, TimeUnit.MILLISECONDS);
      }
      process.waitFor(moments.nextInt(150), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      assertThat(Orrery.run("plan", scenario, "--json", "-o", output.toString()).succeeded().out())
          .isEqualTo(whole);
      assertThat(Files.readString(output.resolve("plan.json"))).isEqualTo(whole);
    }
  }

  @Test
  void gpusForALoadAreCountedInWorkers() throws IOException {
    String scenario =
        file(
            "gpus.yaml",
            """
            trace: {files: small.jsonl, blockSize: 64, dispatch: lanes, lanes: {count: 40}}
            engine: {blockSize: 64, kvBlocks: 200}
            plan: {find: gpus, slo: {ttftP95: 60 ms, tokensPerSecondPerUser: 100}, window: 20 s}
            """);
    Outcome outcome = Orrery.run("plan", scenario).succeeded();
    assertThat(outcome.out().replace("\n", " "))
        .matches("(?s)gpus needs \\d+ GPUs \\(\\d+ workers\\) within TTFT p95 ≤ 60.0 ms.*")
        .contains("with fewer, ", "more workers are needed with a probability");
    assertThat(Orrery.run("plan", scenario, "--find", "usd").succeeded().out())
        .contains("gpus costs least: $", "/h on ");
    assertThat(Orrery.run("plan", scenario, "--find", "kwh").succeeded().out()).contains("kWh/h");
  }

  @Test
  void whatNobodyHoldsIsSaidWithWhatComesNearest() throws IOException {
    String scenario =
        file("never.yaml", BASE + "plan: {slo: {ttftP95: 1 ms}, window: 5 s, sizes: {to: 8}}\n");
    Outcome outcome = Orrery.run("plan", scenario);
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out().replace("\n", " "))
        .contains("No candidate holds TTFT p95 ≤ 1.00 ms")
        .contains("nearest is never with 1 session at once, at TTFT p95 ")
        .contains("broken by prefill compute.");
  }

  @Test
  void candidatesThatCannotRunAreNamed() throws IOException {
    String scenario =
        file(
            "bad.yaml",
            BASE
                + "plan: {window: 5 s, sizes: {to: 4}, candidates: {grid: {cluster.pools.main.gpu:"
                + " [abacus, b200]}}}\n");
    assertThat(Orrery.run("plan", scenario).out()).contains("failed: ", "found abacus");
    Outcome all =
        Orrery.run(
            "plan", file("all.yaml", Files.readString(Path.of(scenario)).replace(", b200", "")));
    assertThat(all.status()).isEqualTo(2);
    assertThat(all.err()).contains("found abacus");
    assertThat(Orrery.run("plan").status()).isEqualTo(2);
    assertThat(Orrery.run("plan", scenario, "--find", "happiness").status()).isEqualTo(2);
    Outcome wrong = Orrery.run("plan", file("w.yaml", BASE + "plan: {window: 5}\n"));
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("w.yaml:4: plan.window: found 5, expected");
  }
}
