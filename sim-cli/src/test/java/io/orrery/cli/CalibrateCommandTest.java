package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements in, a profile out, and the profile taken by a run. */
class CalibrateCommandTest {
  private static final Path DATA = Path.of(System.getProperty("orrery.data", "none"));
  private static final String SCENARIO = "scenarios/calibration/measured.yaml";
  private static final String REQUESTS = "scenarios/calibration/requests.csv";
  private static final String LOOPS = "scenarios/calibration/closed-loops.csv";

  @TempDir Path folder;

  private static Outcome calibrate(String... more) {
    List<String> arguments = new ArrayList<>(List.of("calibrate"));
    arguments.addAll(Arrays.asList(more));
    return Orrery.run(arguments.toArray(String[]::new));
  }

  private void refused(String message, String... arguments) {
    Outcome outcome = calibrate(arguments);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void aRunTakesTheProfileThatRequestsGave() throws IOException {
    Path profile = folder.resolve("profile.yaml");
    Outcome outcome =
        calibrate(
                SCENARIO,
                "--from",
                REQUESTS,
                "--date",
                "2026-11-29",
                "--engine-version",
                "0.19.0",
                "-o",
                profile.toString())
            .succeeded();
    assertThat(outcome.out())
        .contains("Fitted to 120 requests, told by the engine; 120 others judge.")
        .containsPattern("requestMillis +25\\.6 +[34]\\d")
        .containsPattern("hostMicros +0 +kept  shipped with vllm")
        .containsPattern("(?m)^TPOT +\\d\\.\\d %");
    assertThat(Files.readString(profile))
        .contains("orreryProfile: 1", "engineVersion: \"0.19.0\"", "name: requests.csv");

    JsonNode shipped = run();
    JsonNode own = run("--set", "stepTime.profile=" + profile);
    assertThat(own.at("/profile/name").asText()).isEqualTo("profile.yaml");
    assertThat(own.at("/profile/sha256").asText()).hasSize(64);
    assertThat(shipped.has("profile")).isFalse();
    assertThat(own.at("/summary/host_ms/p50").doubleValue())
        .isGreaterThan(shipped.at("/summary/host_ms/p50").doubleValue() + 10);
  }

  @Test
  void whateverEngineWasMeasuredTheProfileIsOfThatEngine() throws IOException {
    Path profile = folder.resolve("sglang.yaml");
    String[] sglang = {"--set", "engine.preset=sglang-2026-07", "--set", "engine.blockSize=64"};
    calibrate(
            SCENARIO,
            "--from",
            REQUESTS,
            sglang[0],
            sglang[1],
            sglang[2],
            sglang[3],
            "-o",
            profile.toString())
        .succeeded();
    assertThat(Files.readString(profile)).contains("engine: sglang");
    String own = "stepTime.profile=" + profile;
    run(sglang[0], sglang[1], sglang[2], sglang[3], "--set", own);
    Outcome other = Orrery.run("run", SCENARIO, "--set", own);
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err()).contains("a profile of engine sglang, expected one of vllm");
  }

  private static JsonNode run(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", SCENARIO, "--json"));
    arguments.addAll(Arrays.asList(more));
    String out = Orrery.run(arguments.toArray(String[]::new)).succeeded().out();
    return new ObjectMapper().readTree(out).at("/runs/0");
  }

  @Test
  void closedLoopsAndADateGiveTheSameBytesInEitherFormat() throws IOException {
    List<String> written = new ArrayList<>();
    for (String name : List.of("a.yaml", "b.yaml", "c.json")) {
      Path file = folder.resolve(name);
      Outcome outcome =
          calibrate("--from", LOOPS, "--date", "2026-11-29", "-o", file.toString()).succeeded();
      assertThat(outcome.out()).contains("told by the closed form", "kernelMultiplier");
      written.add(Files.readString(file));
    }
    assertThat(written.get(0)).isEqualTo(written.get(1)).contains("method: closed-form");
    assertThat(written.get(2)).startsWith("{\"orreryProfile\":1,");
    run("--set", "stepTime.profile=" + folder.resolve("c.json"));
  }

  @Test
  void recordedTimesOfATraceAreMeasurementsToo() throws IOException {
    refused("the trace: found no measured times of requests", SCENARIO);
    StringBuilder trace = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      double first = 0.09 + 0.000004 * (100 + 50 * i);
      double whole = 0.09 + 0.0045 * (50 + i % 7);
      trace
          .append("{\"id\": \"s")
          .append(i)
          .append("\", \"models\": [\"m\"], \"block_size\": 64, ")
          .append(
              "\"hash_id_scope\": \"local\", \"tool_tokens\": 0, \"system_tokens\": 0, \"requests\": ")
          .append("[{\"t\": 0, \"type\": \"s\", \"model\": \"m\", \"in\": ")
          .append(100 + 50 * i)
          .append(", \"out\": ")
          .append(50 + i % 7)
          .append(", \"hash_ids\": [1], \"think_time\": 0, \"api_time\": ")
          .append(whole)
          .append(", \"ttft\": ")
          .append(first)
          .append("}]}\n");
    }
    Path file = Files.writeString(folder.resolve("recorded.jsonl"), trace.toString());
    Outcome outcome =
        calibrate(
                "--trace",
                file.toString(),
                "--set",
                "engine.blockSize=64",
                "--set",
                "trace.lanes.count=1")
            .succeeded();
    assertThat(outcome.out())
        .contains("Fitted to 30 requests, told by the engine; 30 others judge.");
  }

  @Test
  void kernelLawsOfTablesAreTakenByRunsOfThatGpuOnly() {
    assumeTrue(Files.isDirectory(DATA.resolve("perf")), "skipped: no -Dorrery.data");
    String tables = DATA.resolve("perf").toString();
    Path profile = folder.resolve("h100.yaml");
    Outcome outcome =
        calibrate("--perf-data", tables, "--gpu", "h100", "-o", profile.toString()).succeeded();
    assertThat(outcome.out()).containsPattern("gemm bfloat16 law +\\d\\.\\d %");
    Orrery.run("run", SCENARIO, "--json", "--set", "stepTime.profile=" + profile).succeeded();
    Outcome other =
        Orrery.run("run", "scenarios/quickstart.yaml", "--set", "stepTime.profile=" + profile);
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err())
        .contains("found h100.yaml, which has kernel laws of h100, expected one with laws of b200");
    refused("unknown gpu 'h10'", "--perf-data", tables, "--gpu", "h10");
    refused("--gpu: found nothing", "--perf-data", tables);
    refused(
        "no measured tables of h20, expected data/h20_sxm in it",
        "--perf-data",
        tables,
        "--gpu",
        "h20");
  }

  @Test
  void whatMakesNoSenseIsRefused() throws IOException {
    refused("found nothing to fit to");
    refused("requests.csv: found measured requests, expected a scenario", "--from", REQUESTS);
    refused("nowhere.csv: found no such file", "--from", "nowhere.csv");
    refused("README.md:1: found neither of the two kinds", "--from", "README.md");
    refused("--held-out: found 1.5", "--from", LOOPS, "--held-out", "1.5");
    refused("--fit-first: found 0", SCENARIO, "--from", REQUESTS, "--fit-first", "0");
    refused(
        "all 240 measured requests are fitted to",
        SCENARIO,
        "--from",
        REQUESTS,
        "--fit-first",
        "240");
    refused("--date: found today", "--from", LOOPS, "--date", "today");
    refused("found a scenario of 3 variants", "scenarios/quickstart.yaml", "--from", REQUESTS);
    refused(
        "stepTime.model: found roofline",
        SCENARIO,
        "--from",
        REQUESTS,
        "--set",
        "stepTime.model=roofline");
    refused(
        "--kernels: found trtllm, expected the scenario's vllm",
        SCENARIO,
        "--from",
        REQUESTS,
        "--kernels",
        "trtllm");
    refused("unknown kernel family 'vlm', nearest: vllm", "--from", LOOPS, "--kernels", "vlm");
    refused("found a folder, expected a file", "--from", LOOPS, "-o", folder.toString());
    Path cut = folder.resolve("cut.csv");
    Files.writeString(cut, Files.readString(Path.of(LOOPS)).replace("tpot_ms", "tpot"));
    refused("cut.csv", "--from", cut.toString());
    assertThat(folder.toFile().list()).containsExactly("cut.csv");
  }
}
