package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeModel;
import io.orrery.models.kernels.OperatorStepTime;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.profile.Coefficient;
import io.orrery.scenarios.profile.HeldOut;
import io.orrery.scenarios.profile.Profile;
import io.orrery.scenarios.profile.ProfileText;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which step-time model a scenario gets, from which files, and what it is told about them. */
class StepTimeSettingsTest {
  private static final Path DATA = Path.of(System.getProperty("orrery.data", "none"));

  @TempDir Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    Files.createDirectories(folder.resolve("scenarios"));
    Files.createDirectories(folder.resolve("profiles"));
    Files.writeString(
        folder.resolve("scenarios/t.jsonl"),
        "{\"timestamp\": 0, \"input_length\": 1000, \"output_length\": 3, \"hash_ids\": [0, 1]}\n");
    Files.writeString(folder.resolve("profiles/own.yaml"), ProfileText.yaml(profile("vllm")));
    Files.writeString(folder.resolve("profiles/trt.json"), ProfileText.json(profile("trtllm")));
  }

  private static Profile profile(String engine) {
    Coefficient.Fit fit =
        new Coefficient.Fit(
            "engine",
            "2026-11-29",
            List.of("runs.csv"),
            Map.of("concurrency", new double[] {1, 64}),
            new HeldOut("ttft", 0.012, 0.02, 0.1, 40));
    Map<String, Coefficient> host = new LinkedHashMap<>();
    for (String name : HostCosts.NAMES) {
      host.put(name, Coefficient.kept(name.equals("kernelMultiplier") ? 1.1 : 0.5, "by hand"));
    }
    host.put("requestMillis", Coefficient.fitted(12.5, fit));
    return new Profile(
        engine,
        "0.19",
        List.of("h100"),
        List.of("llama-3.1-8b"),
        List.of(new Profile.Source("runs.csv", "ab".repeat(32), 40)),
        host,
        null);
  }

  private ScenarioRun run(String stepTime, CommandLineSettings commandLine) {
    String yaml =
        "trace: {files: t.jsonl}\n"
            + "cluster: {pools: [{gpu: h100, model: llama-3.1-8b}]}\n"
            + "engine: {blockSize: 512}\n"
            + "stepTime: "
            + stepTime
            + "\n";
    Path scenarios = folder.resolve("scenarios");
    return Experiment.prepare(ScenarioLoader.parse(yaml, "s.yaml", scenarios, commandLine))
        .runs()
        .get(0);
  }

  private ScenarioRun run(String stepTime) {
    return run(stepTime, CommandLineSettings.none());
  }

  private static StepTimeModel model(ScenarioRun run) {
    return run.settings().pools().get(0).stepTime();
  }

  @Test
  void aProfileIsFoundBesideTheFileThatNamesItAndReplacesTheHostCosts() {
    ScenarioRun run = run("{model: law, profile: ../profiles/own.yaml}");
    OperatorStepTime law = (OperatorStepTime) model(run);
    assertThat(law.host().kernelMultiplier()).isEqualTo(1.1);
    assertThat(law.host().sequenceMicros()).isEqualTo(0.5);
    assertThat(law.host().asynchronous()).isTrue();
    assertThat(law.requestNanos(10)).isEqualTo(12_500_000 + 5_000);
    assertThat(run.sources().profile().name()).isEqualTo("own.yaml");
    assertThat(run.sources().profile().sha256()).matches("[0-9a-f]{64}");
    assertThat(run.assumptions())
        .contains(
            "Profile own.yaml: requestMillis fitted on 2026-11-29 to runs.csv; held-out TTFT: mean off by 1.2 %, single points by"
                + " 2.0 % (median) and 10.0 % (p90), 40 points.");
    assertThat(run.assumptions()).noneMatch(text -> text.contains("low confidence"));
  }

  @Test
  void profilesReadBackAsTheyWereWrittenInYamlAndJson() throws IOException {
    for (String engine : List.of("vllm", "trtllm")) {
      Profile written = profile(engine);
      Path yaml = Files.writeString(folder.resolve("p.yaml"), ProfileText.yaml(written));
      Path json = Files.writeString(folder.resolve("p.json"), ProfileText.json(written));
      for (Path file : List.of(yaml, json)) {
        Profile read = LoadedProfile.read(file).profile();
        assertThat(ProfileText.yaml(read)).isEqualTo(ProfileText.yaml(written));
        assertThat(read.hostCosts()).isEqualTo(written.hostCosts());
      }
    }
  }

  @Test
  void anotherEngineIsRefusedAndAnotherModelOrGpuIsNamed() {
    assertThatThrownBy(() -> run("{model: law, profile: ../profiles/trt.json}"))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(
            "s.yaml:4: stepTime.profile: found trt.json, a profile of engine trtllm, expected one of vllm (stepTime.kernels)");
    assertThat(
            run("{model: law, kernels: trtllm, profile: ../profiles/trt.json}").sources().profile())
        .isNotNull();
    ScenarioRun other =
        run(
            "{model: law, profile: ../profiles/own.yaml}",
            CommandLineSettings.none()
                .with("cluster.pools[0].model=qwen3-32b")
                .with("cluster.pools[0].gpu=b200"));
    assertThat(other.assumptions())
        .contains(
            "Profile own.yaml was fitted to model llama-3.1-8b; its constants are taken for qwen3-32b as they are (low confidence).",
            "Profile own.yaml was fitted to GPU h100; its constants are taken for b200 as they are (low confidence).");
  }

  @Test
  void whatIsNoProfileIsRefusedWithFileAndLine() throws IOException {
    Path profiles = folder.resolve("profiles");
    Files.writeString(profiles.resolve("not.yaml"), "trace: {files: t.jsonl}\n");
    assertThatThrownBy(() -> run("{model: law, profile: ../profiles/not.yaml}"))
        .hasMessage(
            profiles.resolve("not.yaml")
                + ": found no orreryProfile, expected a profile, as orrery calibrate writes it");
    String good = ProfileText.yaml(profile("vllm"));
    Files.writeString(profiles.resolve("new.yaml"), good.replace("Profile: 1", "Profile: 2"));
    assertThatThrownBy(() -> run("{model: law, profile: ../profiles/new.yaml}"))
        .hasMessageContaining(
            "new.yaml:3: orreryProfile: found 2, expected 1, the version that this program reads");
    Files.writeString(
        profiles.resolve("bad.yaml"),
        good.replace("layerMicros:", "layerMicro:").replace("value: 12.5", "value: -3"));
    assertThatThrownBy(() -> run("{model: law, profile: ../profiles/bad.yaml}"))
        .hasMessageContaining("host.layerMicros: found nothing, expected a mapping")
        .hasMessageContaining("(did you mean layerMicros?)")
        .hasMessageContaining(
            "host.requestMillis.value: found -3, expected a number from 0 to 1000000");
    assertThatThrownBy(() -> run("{model: law, profile: ../profiles/none.yaml}"))
        .hasMessage(
            profiles.resolve("none.yaml") + ": found no such file, expected a profile in YAML");
  }

  @Test
  void tablesNeedAFolder() {
    assertThatThrownBy(() -> run("{model: table}"))
        .hasMessage(
            "s.yaml:4: stepTime.model: found table without stepTime.perfData, expected the folder of the measured tables"
                + " (stepTime.perfData, or --perf-data)");
    assertThatThrownBy(() -> run("{model: table, perfData: nowhere}"))
        .hasMessage(
            "s.yaml:4: stepTime.perfData: found nowhere, expected a folder of measured tables, but there is none");
    assertThatThrownBy(() -> run("{model: table, perfData: .}"))
        .hasMessageContaining(
            "s.yaml:4: stepTime.perfData: found ., expected what can time pool main")
        .hasMessageContaining("no measured tables of h100, expected data/h100_sxm in it");
    assertThatThrownBy(() -> run("{model: table, perfData: ''}"))
        .hasMessage("s.yaml:4: stepTime.perfData: found an empty path, expected a file or folder");
  }

  @Test
  void theFlagBeatsTheFileAndMakesTablesTheModelUnlessOneIsNamed() {
    assumeTrue(Files.isDirectory(DATA.resolve("perf")), "skipped: no -Dorrery.data");
    CommandLineSettings flag =
        CommandLineSettings.none().withPerfData(DATA.resolve("perf").toString());
    assertThat(model(run("{perfData: nowhere}", flag)).name()).isEqualTo("table vllm 0.24.0");
    assertThat(run("{model: table}", flag).sources().digests())
        .singleElement()
        .asString()
        .hasSize(64);
    ScenarioRun named = run("{model: law}", flag);
    assertThat(named.sources().digests()).isEmpty();
    assertThat(model(named).name()).isEqualTo("law vllm 0.24.0");
    assertThat(named.assumptions())
        .contains("stepTime.perfData has no effect, since step times are of model law.");
  }

  @Test
  void tablesThatAreKnownToBeWrongAreNamed() {
    assumeTrue(Files.isDirectory(DATA.resolve("perf")), "skipped: no -Dorrery.data");
    CommandLineSettings flag =
        CommandLineSettings.none()
            .withPerfData(DATA.resolve("perf").toString())
            .with("cluster.pools[0].model=qwen3-coder-30b-a3b")
            .with("cluster.pools[0].precision.weights=fp8");
    assertThat(run("{}", flag).assumptions())
        .anyMatch(text -> text.contains("refused: collected without CUDA graphs"));
  }
}
